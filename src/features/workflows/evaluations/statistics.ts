/** Figures of pass rates. */

/** The 0.975 quantile of the normal distribution: an interval of 95 %. */
const Z = 1.959_963_984_540_054;

/** The bounds of a rate that is known from a sample. */
interface RateInterval {
  readonly low: number;
  readonly high: number;
}

/**
 * Computes the score interval of a rate at 95 % (E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference,
 * Journal of the American Statistical Association 22, 1927, 209-212). It is not empty at 0 and 1, unlike the usual one.
 * @param rate from 0 to 1
 * @param count independent observations: cases, for the trials of one case are not independent
 * @returns null without an observation
 */
export function computeWilson(rate: number, count: number): RateInterval | null {
  if (count === 0) return null;
  const square = Z * Z;
  const middle = rate + square / (2 * count);
  const half = Z * Math.sqrt((rate * (1 - rate)) / count + square / (4 * count * count));
  const scale = 1 + square / count;
  return { low: Math.max(0, (middle - half) / scale), high: Math.min(1, (middle + half) / scale) };
}

/** Computes the variance of a sample, with the divisor n - 1; null for fewer than two values. */
export function computeVariance(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}
