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

test("broken lines are joined, in Japanese without a space", () => {
  expect(plain("one\ntwo")).toBe("one two");
  expect(plain("色と数字で\n書きます。")).toBe("色と数字で書きます。");
});

test("blank lines and remarks begin a paragraph", () => {
  expect(parse("one\n\ntwo\n*Ruling:* three")).toHaveLength(3);
  expect(parse("one\n*two* three")).toHaveLength(1);
});
