/** Returns a size for the suite, or the smaller one of `npm run bench -- --quick`. */
export function sized<Size>(defaults: Size, quick: Size): Size {
  return process.env.BENCH_QUICK === "1" ? quick : defaults;
}
