// "Opportunities by File": a native tree of VS Code, with its keyboard commands, find, icons and decorations. The
// webview of the sidebar has the ranked list with filters. Both also show hints, which the Problems panel omits.

import * as vscode from 'vscode';
import type { OpportunityState } from '#protocol/state';
import type { ClientContext } from '../context.ts';
import { folderOfSidebar, countDecisionsInAllFolders } from '../folders.ts';
import { formatCount, formatNumber } from '../counted.ts';

/** Maximum number of files that the tree requests. */
const MAX_FILES = 200;
/** Maximum number of opportunities of one file that the tree requests. */
const MAX_ROWS = 200;

/** A file, and the number of its opportunities. `path` is relative to the folder. */
interface FileNode {
  readonly node: 'file';
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly count: number;
}

/** An opportunity. The commands of the context menu read these fields. */
interface OpportunityNode {
  readonly node: 'opportunity';
  readonly opportunity: string;
  readonly uri: string;
  readonly rule: string;
  readonly row: OpportunityState;
}

/** The last row, with the number of rows that are not shown. */
interface MoreNode {
  readonly node: 'more';
  readonly text: string;
}

type TreeNode = FileNode | OpportunityNode | MoreNode;

/**
 * Registers the tree. It also has the badge with the number of waiting decisions, because a webview cannot have one
 * before it was first opened.
 */
export function registerOpportunityTree(context: ClientContext): vscode.Disposable {
  const { feed } = context;
  const treeChanged = new vscode.EventEmitter<void>();
  const tree = vscode.window.createTreeView<TreeNode>('selfware.opportunitiesByFile', {
    treeDataProvider: {
      onDidChangeTreeData: treeChanged.event,
      getChildren: (node) => loadChildren(context, node),
      getTreeItem: createItem,
    },
    showCollapseAll: true,
  });
  let revision: number | null = null;
  update();
  return vscode.Disposable.from(tree, treeChanged, feed.onChange(update));

  function update(): void {
    const waitingCount = countDecisionsInAllFolders(feed.current);
    tree.badge = waitingCount
      ? {
          value: waitingCount,
          tooltip: waitingCount === 1 ? '1 decision waits for you' : `${waitingCount} decisions wait for you`,
        }
      : undefined;
    tree.message = composeMessage(context);
    if (feed.current && feed.current.opportunityRevision !== revision) {
      revision = feed.current.opportunityRevision;
      treeChanged.fire();
    }
  }
}

/** The message above the tree; undefined for none. */
function composeMessage({ feed: { current, failure } }: ClientContext): string | undefined {
  if (failure !== null) return failure;
  if (!vscode.workspace.workspaceFolders?.length) return 'No folder is open.';
  if (!current) return 'Starting…';
  const { doable, opportunityCount } = current;
  if (opportunityCount > 0) return doable.more ?? undefined;
  return doable.more === null ? doable.empty : `${doable.empty} ${doable.more}`;
}

/** The children of a node: files for the root, opportunities for a file. */
async function loadChildren({ server, feed }: ClientContext, node: TreeNode | undefined): Promise<TreeNode[]> {
  const folder = folderOfSidebar(feed);
  if (!folder) return [];
  if (!node) {
    const answer = await server.opportunityFiles({ limit: MAX_FILES });
    const files =
      answer?.files.map((file): TreeNode => ({ node: 'file', uri: vscode.Uri.joinPath(folder, file.path), ...file })) ??
      [];
    return answer && answer.total > files.length
      ? [...files, createMoreNode(answer.total - files.length, 'files')]
      : files;
  }
  if (node.node !== 'file') return [];
  const page = await server.opportunities({ filter: { path: node.path }, limit: MAX_ROWS });
  const rows =
    page?.rows
      .toSorted((a, b) => a.line - b.line)
      .map(
        (row): TreeNode => ({
          node: 'opportunity',
          opportunity: row.id,
          uri: vscode.Uri.joinPath(folder, row.path).toString(),
          rule: row.rule,
          row,
        }),
      ) ?? [];
  return page && page.matching > rows.length
    ? [...rows, createMoreNode(page.matching - rows.length, 'in this file')]
    : rows;
}

function createMoreNode(count: number, placeText: string): MoreNode {
  return { node: 'more', text: `${formatNumber(count)} more ${placeText}: filter the list above` };
}

const ICON_BY_SEVERITY: Readonly<Record<OpportunityState['severity'], vscode.ThemeIcon>> = {
  hint: new vscode.ThemeIcon('lightbulb', new vscode.ThemeColor('editorLightBulb.foreground')),
  information: new vscode.ThemeIcon('info', new vscode.ThemeColor('editorInfo.foreground')),
  warning: new vscode.ThemeIcon('warning', new vscode.ThemeColor('editorWarning.foreground')),
};

/** The item that VS Code shows for a node. */
function createItem(node: TreeNode): vscode.TreeItem {
  if (node.node === 'more') return new vscode.TreeItem(node.text);
  if (node.node === 'file') return createFileItem(node);
  const { row, uri, opportunity } = node;
  // A tree shows no Markdown.
  const item = new vscode.TreeItem(row.message.replaceAll('`', ''));
  const position = new vscode.Position(row.line - 1, row.column - 1);
  return Object.assign(item, {
    id: opportunity,
    description: `[Ln ${row.line}] ${row.rule}`,
    iconPath: ICON_BY_SEVERITY[row.severity],
    tooltip: `${row.message}\n${row.path}:${row.line}\n${row.rule} · ${row.severity} · impact ${Math.round(row.impact)} of 100`,
    contextValue: row.fixable ? 'opportunity.fixable' : 'opportunity',
    command: {
      command: 'vscode.open',
      title: 'Open',
      arguments: [vscode.Uri.parse(uri), { selection: new vscode.Range(position, position), preview: true }],
    },
    accessibilityInformation: { label: `${row.severity}: ${row.message}, line ${row.line}` },
  });
}

function createFileItem({ uri, path, count }: FileNode): vscode.TreeItem {
  const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.Collapsed);
  return Object.assign(item, {
    id: uri.toString(),
    description: `${path.slice(0, Math.max(0, path.lastIndexOf('/')))} ${count}`.trim(),
    iconPath: vscode.ThemeIcon.File,
    contextValue: 'file',
    accessibilityInformation: { label: `${path}, ${formatCount(count, 'opportunity', 'opportunities')}` },
  });
}
