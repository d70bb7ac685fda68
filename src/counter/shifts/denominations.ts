/** The notes and coins of a currency, the largest first; as its central bank has them in circulation. */
export const DENOMINATIONS: Readonly<Record<string, readonly number[]>> = {
  // Bank of Uganda.
  UGX: [50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50],
  // Central Bank of Kenya.
  KES: [1_000, 500, 200, 100, 50, 40, 20, 10, 5, 1],
};
