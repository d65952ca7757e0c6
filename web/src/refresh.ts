/** Call `work` every so many milliseconds while the page is visible, and at once when it becomes
 * visible again. Returns the function that ends it. */
export function refresh(work: () => void, every: number): () => void {
  const visibly = () => {
    if (!document.hidden) work();
  };
  const timer = setInterval(visibly, every);
  document.addEventListener("visibilitychange", visibly);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", visibly);
  };
}
