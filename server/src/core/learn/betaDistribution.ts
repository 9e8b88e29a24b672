// Computes shares and quantiles of the beta distribution, which describes what is known of a success rate after some
// successes and failures.

/** Maximum number of terms of the continued fraction, which converges much earlier. */
const MAX_TERMS = 300;
/** The continued fraction stops when a term changes it by less than this share. */
const EPSILON = 1e-12;
/** Number of times that the interval is halved; enough for the precision of a double. */
const HALVING_COUNT = 52;

/** The quantile `p` (0–1) of a beta distribution with the parameters `a` and `b` (both > 0), by bisection. */
export function computeBetaQuantile(p: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < HALVING_COUNT; step += 1) {
    const middle = (low + high) / 2;
    if (computeBetaShare(middle, a, b) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The share of the distribution below `x`, which is the regularised incomplete beta function: NIST Digital Library of
 * Mathematical Functions (DLMF) 8.17.
 */
export function computeBetaShare(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast on this side only.
  if (x > (a + 1) / (a + b + 2)) return 1 - computeBetaShare(1 - x, b, a);
  const front =
    Math.exp(computeLogGamma(a + b) - computeLogGamma(a) - computeLogGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) /
    a;
  return front * computeContinuedFraction(x, a, b);
}

/** The continued fraction of DLMF 8.17.22, by the method of Lentz. */
function computeContinuedFraction(x: number, a: number, b: number): number {
  let [value, c, d] = [1, 1, 0];
  for (let term = 0; term <= MAX_TERMS; term += 1) {
    const m = Math.floor(term / 2);
    const numerator =
      term === 0
        ? 1
        : term % 2 === 0
          ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
          : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / avoidZero(1 + numerator * d);
    c = avoidZero(1 + numerator / c);
    value *= c * d;
    if (term > 0 && Math.abs(1 - c * d) < EPSILON) break;
  }
  return value - 1;
}

/** The value, or a tiny one in place of zero, so that it can be a divisor. */
function avoidZero(value: number): number {
  return Math.abs(value) < 1e-30 ? 1e-30 : value;
}

/** The logarithm of the gamma function, by Stirling's series. The argument is raised to at least 8 first. */
function computeLogGamma(x: number): number {
  let [shift, shifted] = [0, x];
  while (shifted < 8) {
    shift += Math.log(shifted);
    shifted += 1;
  }
  const square = shifted * shifted;
  const series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / shifted;
  return (shifted - 0.5) * Math.log(shifted) - shifted + Math.log(2 * Math.PI) / 2 + series - shift;
}
