// Checks the texts that a person types as a key, or as the address of a server.

/** The host with its port; null if this is not the address of a web server. */
export function parseHost(address: string): string | null {
  const text = address.trim();
  if (!URL.canParse(text)) return null;
  const { protocol, host } = new URL(text);
  return /^https?:$/.test(protocol) && host !== '' ? host : null;
}

/** The reason that this text cannot be a key, as a sentence; null if it can be one. Spaces around it are ignored. */
export function problemOfKey(text: string): string | null {
  const key = text.trim();
  if (key === '') return 'Paste the key, or press Escape.';
  return /^[\x21-\x7e]+$/.test(key) ? null : 'A key has no blanks, and only letters, digits and signs of ASCII.';
}
