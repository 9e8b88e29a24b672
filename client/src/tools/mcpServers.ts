// Offers Selfware's MCP server (`selfware serve --mcp`) to VS Code, one for each folder. Off by default, because the
// extension already offers the same tools to VS Code's agents.

import * as vscode from 'vscode';

const providerId = 'selfware.mcpServers';
const SETTING_NAME = 'selfware.agents.mcpServer';

/** Registers the servers, which VS Code lists while the setting `selfware.agents.mcpServer` is on. */
export function publishMcpServer(extension: vscode.Extension<unknown>): vscode.Disposable {
  const definitionsChanged = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    definitionsChanged,
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration('selfware') && definitionsChanged.fire(),
    ),
    vscode.workspace.onDidChangeWorkspaceFolders(() => definitionsChanged.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => definitionsChanged.fire()),
    vscode.lm.registerMcpServerDefinitionProvider(providerId, {
      onDidChangeMcpServerDefinitions: definitionsChanged.event,
      provideMcpServerDefinitions: () => (isEnabled() ? createDefinitions(extension) : []),
    }),
  );
}

function isEnabled(): boolean {
  return vscode.workspace.getConfiguration().get(SETTING_NAME) === true;
}

/**
 * The definitions of the servers, one for each folder. The person's settings have to apply in a server too, above all
 * those of the charter (what is allowed). The environment of a server contains the names of the settings that the
 * person has set, but not their values. Values from the environment could not be trusted, because anybody who starts a
 * server can set its environment. The server reads the values from the state folder, where the language server stores
 * them.
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
  const settingNames = [contributes.configuration].flat().flatMap(({ properties }) => Object.keys(properties));
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return folders.map(({ uri, name }) => {
    const configuration = vscode.workspace.getConfiguration(undefined, uri);
    const namesOfSetSettings = settingNames.filter((id) => id !== SETTING_NAME && isSet(configuration.inspect(id)));
    const trustFlags = vscode.workspace.isTrusted ? [] : ['--untrusted'];
    const cliPath = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'cli.js').fsPath;
    const definition = new vscode.McpStdioServerDefinition(
      folders.length === 1 ? 'Selfware' : `Selfware: ${name}`,
      process.execPath,
      ['--disable-warning=ExperimentalWarning', cliPath, 'serve', '--mcp', '--repo', uri.fsPath, ...trustFlags],
      { ELECTRON_RUN_AS_NODE: '1', SELFWARE_EDITOR_SETTINGS: JSON.stringify(namesOfSetSettings) },
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
