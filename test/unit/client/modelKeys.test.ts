// What a person pastes as a key, and what the log of the language client may hold of it.

import { expect, test } from 'vitest';
import { parseHost, explainBadAddress, explainBadKey } from '../../../client/src/models/keyText.ts';
import { parseProposerName } from '../../../server/src/adapters/models/proposerNames.ts';
import { hideKeys } from '../../../client/src/server/withoutKeys.ts';

test.each([
  ['sk-abc123', true],
  ['  sk-abc123\n', true],
  ['', false],
  ['two words', false],
  ['schlüssel', false],
])('%j can be a key: %s', (text, can) => {
  expect(explainBadKey(text) === null).toBe(can);
});

test.each([
  ['https://models.example/v1', 'models.example'],
  [' http://127.0.0.1:8080/v1 ', '127.0.0.1:8080'],
  ['models.example', null],
  ['file:///etc/passwd', null],
])('%s has the host %s', (address, host) => {
  expect(parseHost(address)).toBe(host);
});

test('the log of requests leaves out keys, and nothing else', () => {
  const lines: string[] = [];
  const output = {
    level: 1,
    trace: (line: string) => lines.push(`trace ${line}`),
    info(line: string) {
      lines.push(`info ${this.level} ${line}`);
    },
  };
  const channel = hideKeys(output as never);
  channel.trace("Sending request 'selfware/model/keys - (3)'. Params: {keys: {'a.example': 'canary'}}");
  channel.trace("Sending request 'selfware/state'.");
  channel.info('started');
  expect(lines).toEqual([
    'trace selfware/model/keys: not logged.',
    "trace Sending request 'selfware/state'.",
    'info 1 started',
  ]);
});

test.each([
  ['http://127.0.0.1:8080/v1', null],
  [' http://localhost:1234/v1 ', null],
  ['http://[::1]:8080', null],
  ['https://models.example.com/v1', null],
  ['http://192.168.1.5:8080/v1', /^Code would go to 192\.168\.1\.5:8080 unencrypted\. Type https:/],
  ['http://127.0.0.1.example.org/v1', /unencrypted/],
  ['https://me:secret@example.org/v1', /must not hold a password/],
  ['ftp://example.org', /^Type an address/],
  ['models', /^Type an address/],
])('the address %j is judged while it is typed', (address, problem) => {
  const found = explainBadAddress(address);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toMatch(problem);
  // The server judges alike.
  const parse = () => parseProposerName(`openai-compatible:model@${address.trim()}`);
  if (problem === null) expect(parse).not.toThrow();
  else expect(parse).toThrow();
});
