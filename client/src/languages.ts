// Languages whose documents the language server follows while they are edited.

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

export const documentSelector = languages.map((language) => ({ scheme: 'file', language }));
