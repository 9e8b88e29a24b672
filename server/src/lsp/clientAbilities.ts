// Reads the features that the connected editor supports from its `initialize` request, so that the features of the
// server need not interpret the client's capabilities.

import type { InitializeParams } from 'vscode-languageserver/node';
import type { InitializationOptions } from '#protocol/review';

/** The features that the client supports, and other data from its `initialize` request. */
export interface ClientAbilities {
  readonly pullDiagnostics: boolean;
  /** True if pull diagnostics can be registered dynamically, so that their scope can follow the settings. */
  readonly registersDiagnostics: boolean;
  /** True if diagnostics may refer to further places (related information). */
  readonly showsRelatedInformation: boolean;
  readonly refreshesDiagnostics: boolean;
  readonly refreshesCodeLenses: boolean;
  readonly supportsMarkdownHovers: boolean;
  readonly codeActionLiterals: boolean;
  readonly disabledCodeActions: boolean;
  /** True if `codeAction/resolve` may add the command. */
  readonly resolvesCommand: boolean;
  /** True if `codeAction/resolve` may add the edit. */
  readonly resolvesEdit: boolean;
  /** True if edits may contain snippets, with a place to type. */
  readonly snippetEdits: boolean;
  readonly appliesEdits: boolean;
  readonly versionedEdits: boolean;
  readonly changeAnnotations: boolean;
  readonly createsFiles: boolean;
  readonly deletesFiles: boolean;
  readonly answersConfiguration: boolean;
  readonly registersConfiguration: boolean;
  readonly registersWatchers: boolean;
  readonly supportsWorkspaceFolders: boolean;
  readonly workDoneProgress: boolean;
  readonly showsDocuments: boolean;
  /** True if the client answers `selfware/save`, which makes it save an applied edit. */
  readonly canSave: boolean;
  /**
   * True if the client shows reviews itself when it receives `selfware/reviewReady`. Other clients get
   * `window/showMessageRequest`.
   */
  readonly canReview: boolean;
  /** True if the client answers `selfware/model/*`, and has its own command for improving with a model. */
  readonly canAskModels: boolean;
  /** True if the client stores keys of models, and sends them by `selfware/model/keys`. */
  readonly canStoreKeys: boolean;
  /** False if the client has reported that the workspace is not trusted. */
  readonly trusted: boolean;
  /** URI of the selected folder, if there are several; otherwise null. */
  readonly folder: string | null;
  /** Id of the client's process; null if it is not in the request. */
  readonly processId: number | null;
  /** Settings in the `initialize` request, for clients without workspace/configuration. */
  readonly settings: unknown;
}

/**
 * The abilities that the client announces. An ability that is missing from the request counts as unsupported, with
 * three exceptions: Markdown in hovers counts as supported, the workspace counts as trusted, and `canReview` equals
 * `canSave`.
 */
export function readAbilities(params: Partial<InitializeParams>): ClientAbilities {
  const { workspace, textDocument, window } = params.capabilities ?? {};
  const options = parseOptions(params.initializationOptions);
  const canSave = options.canSave === true;
  const edit = workspace?.workspaceEdit;
  return {
    pullDiagnostics: textDocument?.diagnostic !== undefined && textDocument.diagnostic !== null,
    registersDiagnostics: textDocument?.diagnostic?.dynamicRegistration === true,
    showsRelatedInformation:
      textDocument?.publishDiagnostics?.relatedInformation === true ||
      textDocument?.diagnostic?.relatedInformation === true,
    refreshesDiagnostics: workspace?.diagnostics?.refreshSupport === true,
    refreshesCodeLenses: workspace?.codeLens?.refreshSupport === true,
    supportsMarkdownHovers: textDocument?.hover?.contentFormat?.includes('markdown') ?? true,
    codeActionLiterals: Boolean(textDocument?.codeAction?.codeActionLiteralSupport),
    disabledCodeActions: textDocument?.codeAction?.disabledSupport === true,
    resolvesCommand:
      textDocument?.codeAction?.resolveSupport?.properties?.includes('command') === true &&
      textDocument.codeAction.dataSupport === true,
    resolvesEdit:
      textDocument?.codeAction?.resolveSupport?.properties?.includes('edit') === true &&
      textDocument.codeAction.dataSupport === true,
    snippetEdits: edit?.snippetEditSupport === true && edit.documentChanges === true,
    appliesEdits: workspace?.applyEdit === true,
    versionedEdits: edit?.documentChanges === true,
    changeAnnotations: Boolean(edit?.changeAnnotationSupport),
    createsFiles: edit?.resourceOperations?.includes('create') === true,
    deletesFiles: edit?.resourceOperations?.includes('delete') === true,
    answersConfiguration: workspace?.configuration === true,
    registersConfiguration: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    registersWatchers: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    supportsWorkspaceFolders: workspace?.workspaceFolders === true,
    workDoneProgress: window?.workDoneProgress === true,
    showsDocuments: window?.showDocument?.support === true,
    canSave,
    canReview: options.canReview ?? canSave,
    canAskModels: options.canAskModels === true,
    canStoreKeys: options.canStoreKeys === true,
    trusted: options.trusted !== false,
    folder: typeof options.folder === 'string' ? options.folder : null,
    processId: params.processId ?? null,
    settings: options.settings,
  };
}

function parseOptions(value: unknown): InitializationOptions {
  return value !== null && typeof value === 'object' ? (value as InitializationOptions) : {};
}
