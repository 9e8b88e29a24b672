// Checks the address of a model's server while a person types it. The server checks it again.

import { isLoopback } from '../util/webAddress.ts';

/** The reason why the server would refuse the address, as a sentence; null for a good one. */
export function problemOfModelAddress(text: string): string | null {
  const address = text.trim();
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return 'Type an address, such as http://127.0.0.1:8080/v1.';
  if (url.username !== '' || url.password !== '')
    return "The address must not hold a password. Store the key with “Selfware: Set a Model's Key…”.";
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return `Code would go to ${url.host} unencrypted. Type https://, or use a tunnel to this machine.`;
  return null;
}
