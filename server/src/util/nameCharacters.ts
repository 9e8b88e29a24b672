// The characters that names of programs consist of, by their UTF-16 code.

/** True for letters, digits, `_`, `$`, and every character beyond ASCII. */
export function isNameCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code > 127
  );
}
