// Defines which documents of VS Code the language server follows while they are edited.

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

/**
 * Selects the documents that the client announces to the language server: those of these languages, and each
 * package.json, because findings can be there, too.
 */
export const documentSelector = [
  ...languages.map((language) => ({ scheme: 'file', language })),
  { scheme: 'file', language: 'json', pattern: '**/package.json' },
];
