// Contains the capabilities that two kinds of editors announce to a language server.

import type { ClientCapabilities } from 'vscode-languageserver/node';

/** An editor like VS Code: it requests diagnostics, and supports versioned edits, file operations and progress. */
export const richCapabilities: ClientCapabilities = {
  workspace: {
    applyEdit: true,
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ['create', 'rename', 'delete'],
      changeAnnotationSupport: { groupsOnLabel: true },
    },
    configuration: true,
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
    workspaceFolders: true,
    diagnostics: { refreshSupport: true },
    codeLens: { refreshSupport: true },
  },
  textDocument: {
    diagnostic: { dynamicRegistration: true },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor'] } },
      disabledSupport: true,
      isPreferredSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ['edit', 'command'] },
    },
  },
  window: { workDoneProgress: true, showDocument: { support: true } },
};

/** An editor like a small one in a terminal: diagnostics are pushed, edits are plain, nothing is registered later. */
export const plainCapabilities: ClientCapabilities = {
  workspace: { applyEdit: true },
  textDocument: {
    publishDiagnostics: {},
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
  },
};
