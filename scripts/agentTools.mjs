// Generates the parts of package.json and docs/agents.md about the tools for agents from the table of tools.
import { EDITOR_PREFIX, toInputSchema, toolTable } from '../server/src/tools/toolTable.ts';

/** The value of `contributes.languageModelTools`. The tools are hidden while the MCP server is published instead. */
export function createLanguageModelTools() {
  return toolTable.map((tool) => ({
    name: `${EDITOR_PREFIX}${tool.name}`,
    displayName: tool.title,
    toolReferenceName: createReferenceName(tool.name),
    userDescription: tool.summary,
    modelDescription: tool.description,
    canBeReferencedInPrompt: true,
    icon: tool.icon,
    tags: ['selfware', tool.hints.readOnly ? 'read' : 'change'],
    when: '!config.selfware.agents.mcpServer',
    inputSchema: toInputSchema(tool),
  }));
}

/** The page docs/agents.md with its table updated. */
export function updateAgentsPage(page) {
  const rows = toolTable.map(
    (tool) =>
      `| \`${tool.name}\` | \`#${createReferenceName(tool.name)}\` | ${tool.summary} | ${formatInputs(tool)} | ${describeChanges(tool)} |`,
  );
  const start = page.indexOf('\n', page.indexOf('<!-- tools: ')) + 1;
  const end = page.indexOf('<!-- /tools -->');
  return `${page.slice(0, start)}\n${['| tool | in VS Code | does | takes | changes |', '|---|---|---|---|---|', ...rows].join('\n')}\n\n${page.slice(end)}`;
}

/** The name by which a person refers to a tool in VS Code: `propose_patch` → selfwareProposePatch. */
function createReferenceName(name) {
  return `selfware${name
    .split('_')
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('')}`;
}

/** The names of the inputs of a tool; optional ones have a question mark. */
function formatInputs(tool) {
  const { properties, required = [] } = toInputSchema(tool);
  return Object.keys(properties)
    .map((name) => `\`${name}\`${required.includes(name) ? '' : '?'}`)
    .join(', ');
}

/** What a tool can change, in words. */
function describeChanges({ hints }) {
  if (hints.readOnly) return 'nothing';
  return hints.destructive ? 'your files, as the charter allows' : 'the list of proposals';
}
