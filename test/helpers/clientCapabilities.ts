// The capabilities that two kinds of editors announce.

import type { ClientCapabilities } from 'vscode-languageserver/node';

/** Like VS Code: asks for diagnostics, versioned edits with files, progress, resolving. */
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

/** Like a small terminal editor: diagnostics are pushed, edits are plain, nothing is registered later. */
export const plainCapabilities: ClientCapabilities = {
  workspace: { applyEdit: true },
  textDocument: {
    publishDiagnostics: {},
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
  },
};
