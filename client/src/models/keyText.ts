// Checks the texts that a person types as a key, or as the address of a server.

/** The host of an http or https address, with its port if it has one; null for any other text. */
export function parseHost(address: string): string | null {
  const text = address.trim();
  if (!URL.canParse(text)) return null;
  const { protocol, host } = new URL(text);
  return /^https?:$/.test(protocol) && host !== '' ? host : null;
}

/** The reason why this text cannot be a key, as a sentence; null if it can be one. Spaces around it are ignored. */
export function explainBadKey(text: string): string | null {
  const key = text.trim();
  if (key === '') return 'Paste the key, or press Escape.';
  return /^[\x21-\x7e]+$/.test(key) ? null : 'A key has no blanks, and only letters, digits and signs of ASCII.';
}

/**
 * The reason why the language server would refuse the address of a model, as a sentence; null if it would accept it.
 */
export function explainBadAddress(text: string): string | null {
  const address = text.trim();
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return 'Type an address, such as http://127.0.0.1:8080/v1.';
  if (url.username !== '' || url.password !== '')
    return "The address must not hold a password. Store the key with “Selfware: Set a Model's Key…”.";
  if (url.protocol === 'http:' && !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname))
    return `Code would go to ${url.host} unencrypted. Type https://, or use a tunnel to this machine.`;
  return null;
}
