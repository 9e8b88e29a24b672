// Compares versions of Selfware.

/**
 * True if the first version, such as `1.10.0`, is higher than the second by its three numbers; the remaining part is
 * ignored.
 */
export function isNewer(version: string, than: string): boolean {
  const [parts, otherParts] = [version, than].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  const position = parts!.findIndex((part, index) => part !== otherParts![index]);
  return position >= 0 && parts![position]! > (otherParts![position] ?? 0);
}
