// Recognises names of packages that may be used in a command line.

/** True for a name that npm's grammar allows and that every shell reads as one plain word, not as an option. */
export function isPackageName(name: string): boolean {
  return name.length <= 214 && /^(?:@[a-z\d][\w.~-]*\/)?[a-z\d][\w.~-]*$/i.test(name);
}
