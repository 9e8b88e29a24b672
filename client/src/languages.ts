// The documents that the language server follows while they are edited.

const languages = [
  'typescript',
  'typescriptreact',
  'javascript',
  'javascriptreact',
  'python',
  'rust',
  'go',
  'java',
  'c',
  'cpp',
];

/** The documents that the client announces to the language server. Findings can be in a package.json, too. */
export const documentSelector = [
  ...languages.map((language) => ({ scheme: 'file', language })),
  { scheme: 'file', language: 'json', pattern: '**/package.json' },
];
