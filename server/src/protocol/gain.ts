// Formats the gain of a change in points, for every part of the interface.

/**
 * A gain such as "+0.06 points", "+3.4 points", "+1 point", or "same points" if there is none. A small gain keeps
 * enough digits to be visible.
 */
export function formatGain(value: number): string {
  if (value === 0) return 'same points';
  const size = Math.abs(value);
  const factor = size >= 1 ? 10 : size >= 0.01 ? 100 : 10_000;
  const rounded = Math.round(size * factor) / factor;
  return `${value < 0 ? '−' : '+'}${rounded} ${rounded === 1 ? 'point' : 'points'}`;
}
