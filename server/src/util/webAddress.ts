// Checks the addresses to which Selfware sends messages: everything that leaves this machine is encrypted.

/**
 * The reason why an address cannot be used, as a sentence; null if it can be used. It must be https, or http on the
 * loopback of this machine, and must not contain credentials.
 */
export function explainAddressProblem(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url && (url.username !== '' || url.password !== ''))
    return 'It must hold no name and no password before the host, because requests cannot be sent to such an address.';
  if (url?.protocol === 'https:') return null;
  return url?.protocol === 'http:' && isLoopback(url.hostname)
    ? null
    : 'It must begin with https://, or with http:// and the loopback of this machine, such as http://127.0.0.1:8080/.';
}

/** True for the names and addresses by which this machine reaches itself. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
