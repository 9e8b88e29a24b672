// Compares versions of Selfware.

/**
 * True if the first version, such as `1.10.0`, is higher than the second by its three numbers; the remaining part is
 * ignored.
 */
export function isNewer(version: string, otherVersion: string): boolean {
  const [parts, otherParts] = [version, otherVersion].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  const firstDifference = parts!.findIndex((part, index) => part !== otherParts![index]);
  return firstDifference >= 0 && parts![firstDifference]! > (otherParts![firstDifference] ?? 0);
}
