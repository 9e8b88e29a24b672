// Secrets as they turn up in outputs, URLs and settings, and texts that only look like one.

import { expect, test } from 'vitest';
import { redact } from '../../../server/src/core/ledger/redact.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const fake = (...parts: string[]) => parts.join('');
const letters = 'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW3xY5z';
const jwt = fake(
  'eyJ',
  'hbGciOiJIUzI1NiJ9',
  '.eyJ',
  'zdWIiOiIxMjM0NTY3ODkwIn0',
  '.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
);
const pem = fake('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA ', 'PRIVATE KEY-----');

test.each([
  [`id ${fake('AK', 'IA', 'IOSFODNN7EXAMPLE')} here`, 'id [redacted:aws] here'],
  [fake('ASIA', 'Y34FZKBOKMUTVV7A'), '[redacted:aws]'],
  [fake('gh', 'p_', letters), '[redacted:github]'],
  [fake('gh', 's_', letters), '[redacted:github]'],
  [fake('github', '_pat_', letters, '_', letters), '[redacted:github]'],
  [fake('glpat', '-', letters), '[redacted:gitlab]'],
  [fake('npm', '_', letters), '[redacted:npm]'],
  [fake('xox', 'b-123456789012-', letters), '[redacted:slack]'],
  [
    `https://${fake('hooks.slack', '.com/services/')}T000/B000/XXXX`,
    `https://hooks.slack.com/services/[redacted:slack]`,
  ],
  [fake('sk-', 'ant-', 'api03-', letters), '[redacted:anthropic]'],
  [fake('sk-', letters), '[redacted:openai]'],
  [fake('sk-', 'proj-', letters), '[redacted:openai]'],
  [fake('sk', '_live_', letters), '[redacted:stripe]'],
  [fake('AI', 'za', letters.slice(0, 35)), '[redacted:google]'],
  [`token ${jwt}!`, 'token [redacted:jwt]!'],
  [`a\n${pem}\nb`, 'a\n[redacted:private-key]\nb'],
  ['-----BEGIN PRIVATE KEY-----\nMIIEow cut off', '[redacted:private-key]'],
  ['password=hunter2', 'password=[redacted:password]'],
  ['PASSWORD: "two words", next', 'PASSWORD: [redacted:password], next'],
  ['password=any.thing', 'password=[redacted:password]'],
  ['db_password = s3cret;', 'db_password = [redacted:password];'],
  ['login(password=ab)cd]e}f)', 'login(password=[redacted:password]'],
  ['{"passwd":"x"}', '{"passwd":[redacted:password]}'],
  ['mysql --password hunter2 -u root', 'mysql --password [redacted:password] -u root'],
  ['login --token=abc', 'login --token=[redacted:password]'],
  ['Authorization: Bearer abc.def', 'Authorization: [redacted:authorization]'],
  ['authorization: Basic dXNlcjpwYXNz', 'authorization: [redacted:authorization]'],
  ["-H 'Authorization: token abc'", "-H 'Authorization: [redacted:authorization]'"],
  ['sent Bearer abcdefghijklmnop1234', 'sent Bearer [redacted:authorization]'],
  ['Cookie: session=1; other=2', 'Cookie: [redacted:authorization]'],
  ['Cookie: flag; session=deadbeef', 'Cookie: [redacted:authorization]'],
  ['cookie: Flag; session=deadbeef', 'cookie: [redacted:authorization]'],
  ['cookie: Flag=deadbeef', 'cookie: [redacted:authorization]'],
  ['Cookie: abc123opaque', 'Cookie: [redacted:authorization]'],
  ['Cookie: AbcOpaque', 'Cookie: [redacted:authorization]'],
  ['set-cookie: Opaque', 'set-cookie: [redacted:authorization]'],
  ['{"cookie":"Opaque;"}', '{"cookie":"[redacted:authorization]"}'],
  ['Cookie:; sid=secret', 'Cookie:[redacted:authorization]'],
  ['Cookie: sid:1=abc', 'Cookie: [redacted:authorization]'],
  ['Cookie: user@x[id]=deadbeef', 'Cookie: [redacted:authorization]'],
  [`Cookie:${' '.repeat(9)}a=1`, `Cookie:${' '.repeat(5)}[redacted:authorization]`],
  ['https://user:pa55@example.com/x', 'https://[redacted:credentials]@example.com/x'],
  ['postgres://admin:x@db:5432/main', 'postgres://[redacted:credentials]@db:5432/main'],
  ['https://abcdef@example.com', 'https://[redacted:credentials]@example.com'],
  [`API_KEY=${letters}`, 'API_KEY=[redacted:secret]'],
  [
    `aws_secret_access_key = ${fake('wJalrXUtnFEMI/K7MDENG', '/bPxRfiCYEXAMPLEKEY')}`,
    'aws_secret_access_key = [redacted:secret]',
  ],
  [`_authToken=${letters}`, '_authToken=[redacted:secret]'],
  [`client_secret: '${letters}'`, "client_secret: '[redacted:secret]'"],
])('is taken out: %s', (text, expected) => {
  expect(redact(text)).toBe(expected);
  // A second time changes nothing, and a place inside other data neither.
  expect(redact({ list: [expected] })).toEqual({ list: [expected] });
});

test.each([
  'Replaces the else branch after return in grade().',
  'export function tokenise(text: string): Token[]',
  'if (password === other) return passwordOf(user);',
  'interface Login { password: string; passphrase?: string | null }',
  'maxTokens: number, tokenCount = countTokens(text)',
  'token = parser.nextToken()',
  'https://example.com/a?b=c#d user@example.com',
  'ssh://git@example.com/repository.git',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'sk-button-primary',
  'author: Jane Doe',
  'export function stringifyCookie(cookie: Cookies, options?: StringifyOptions): string {',
  'export function serialize(cookie: SetCookie, options: Options = {}): string {',
  'const parse = (cookie: string | undefined) => split(cookie)',
  'interface Request {\n  cookie: Cookie;\n  cookie: string\n}',
  '',
])('stays as it is: %s', (text) => {
  expect(redact(text)).toBe(text);
});

test('a name tells what a value is', () => {
  expect(
    redact({
      password: 'hunter2',
      dbPassword: 'x',
      authorization: 'abc',
      apiKey: letters,
      githubToken: letters,
      tokens: 1234,
      key: 'name',
      secret: 'words only',
      nested: [{ accessKey: [letters] }],
      hash: 'a1'.repeat(32),
      none: null,
      yes: true,
    }),
  ).toEqual({
    password: '[redacted:password]',
    dbPassword: '[redacted:password]',
    authorization: '[redacted:password]',
    apiKey: '[redacted:secret]',
    githubToken: '[redacted:secret]',
    tokens: 1234,
    key: 'name',
    secret: 'words only',
    nested: [{ accessKey: ['[redacted:secret]'] }],
    hash: 'a1'.repeat(32),
    none: null,
    yes: true,
  });
});

test('hostile texts take no longer than others', () => {
  const hostile = [
    'password'.repeat(20_000),
    'a-'.repeat(100_000),
    'eyJaaaaaaaa.'.repeat(20_000),
    '-----BEGIN PRIVATE KEY-----'.repeat(5_000),
    `${'https://'.repeat(20_000)}`,
    'authorization:'.repeat(20_000),
    'cookie:A,'.repeat(20_000),
    `cookie:${' '.repeat(200_000)}`,
    `token${'-a'.repeat(50_000)}`,
  ];
  const started = process.threadCpuUsage();
  for (const text of hostile) redact(text);
  expect(process.threadCpuUsage(started).user / 1000).toBeLessThan(10_000);
});
