// Compares versions of Selfware.

/**
 * True if `version`, such as `1.10.0`, is higher than `otherVersion`. Only the first three numbers of each are
 * compared.
 */
export function isNewer(version: string, otherVersion: string): boolean {
  const [parts, otherParts] = [version, otherVersion].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  const firstDifference = parts!.findIndex((part, index) => part !== otherParts![index]);
  return firstDifference >= 0 && parts![firstDifference]! > (otherParts![firstDifference] ?? 0);
}
