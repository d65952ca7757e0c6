import { expect, test } from "vitest";
import { parse, plain } from "./markdown";

test("emphasis and code become pieces", () => {
  expect(parse("**T9 Follow.** A *void* suit, `W14`.")).toEqual([
    [
      { kind: "strong", text: "T9 Follow." },
      { kind: "text", text: " A " },
      { kind: "em", text: "void" },
      { kind: "text", text: " suit, " },
      { kind: "code", text: "W14" },
      { kind: "text", text: "." },
    ],
  ]);
});

test("what looks like HTML stays text", () => {
  expect(parse("a <b>c</b> & d")).toEqual([[{ kind: "text", text: "a <b>c</b> & d" }]]);
});

test("broken lines are joined", () => {
  expect(plain("one\ntwo")).toBe("one two");
});

test("blank lines begin a paragraph", () => {
  expect(parse("one\n*two* three\n\n*Ruling:* four")).toHaveLength(2);
});
