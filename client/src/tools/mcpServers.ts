// Publishes `selfware serve --mcp` of this installation in VS Code, one server per folder. Off by default, because the
// language server of this window already offers the same tools.

import * as vscode from 'vscode';

const providerId = 'selfware.mcpServers';
const setting = 'selfware.agents.mcpServer';

/** Publishes the servers as long as the setting is on. */
export function publishMcpServer(extension: vscode.Extension<unknown>): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('selfware') && changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.lm.registerMcpServerDefinitionProvider(providerId, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => (isWanted() ? createDefinitions(extension) : []),
    }),
  );
}

function isWanted(): boolean {
  return vscode.workspace.getConfiguration().get(setting) === true;
}

/**
 * The definitions of the servers, one for each folder. The person's settings apply in a server too, above all the
 * charter. A definition contains only the names of settings that the person has set, because anybody who starts a
 * server can write its environment; the language server stores the values in the state folder.
 */
function createDefinitions(extension: vscode.Extension<unknown>): vscode.McpStdioServerDefinition[] {
  const { version, contributes } = extension.packageJSON as {
    readonly version: string;
    readonly contributes: {
      readonly configuration:
        | { readonly properties: Readonly<Record<string, unknown>> }
        | readonly { readonly properties: Readonly<Record<string, unknown>> }[];
    };
  };
  const names = [contributes.configuration].flat().flatMap(({ properties }) => Object.keys(properties));
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return folders.map(({ uri, name }) => {
    const configuration = vscode.workspace.getConfiguration(undefined, uri);
    const setNames = names.filter((id) => id !== setting && isSet(configuration.inspect(id)));
    const trust = vscode.workspace.isTrusted ? [] : ['--untrusted'];
    const cli = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'cli.js').fsPath;
    const definition = new vscode.McpStdioServerDefinition(
      folders.length === 1 ? 'Selfware' : `Selfware: ${name}`,
      process.execPath,
      ['--disable-warning=ExperimentalWarning', cli, 'serve', '--mcp', '--repo', uri.fsPath, ...trust],
      { ELECTRON_RUN_AS_NODE: '1', SELFWARE_EDITOR_SETTINGS: JSON.stringify(setNames) },
      version,
    );
    definition.cwd = uri;
    return definition;
  });
}

/** True if the person has set the setting, even to its default. */
function isSet(inspected: ReturnType<vscode.WorkspaceConfiguration['inspect']>): boolean {
  return (
    inspected !== undefined &&
    [inspected.globalValue, inspected.workspaceValue, inspected.workspaceFolderValue].some(
      (value) => value !== undefined,
    )
  );
}
