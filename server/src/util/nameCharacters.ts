// Recognises characters of identifiers by their UTF-16 code unit.

/** True for letters, digits, `_`, `$`, and every character beyond ASCII. */
export function isIdentifierCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || // a to z
    (code >= 65 && code <= 90) || // A to Z
    (code >= 48 && code <= 57) || // 0 to 9
    code === 95 || // _
    code === 36 || // $
    code > 127
  );
}
