// Tools for agents in the real extension host: registered, answered by the language server, and asking before anything
// is written.

import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import * as vscode from 'vscode';
import { onDisk } from './place.ts';

export function defineAgentToolTests(): void {
  suite('tools for agents', () => {
    let proposal = '';

    suiteSetup(() => vscode.extensions.getExtension('selfware.selfware')?.activate());

    test('every contributed tool is registered, with its schema', () => {
      const { contributes } = vscode.extensions.getExtension('selfware.selfware')?.packageJSON as {
        contributes: { languageModelTools: { name: string }[] };
      };
      const names = contributes.languageModelTools.map(({ name }) => name).sort();
      ok(names.length > 10);
      const known = vscode.lm.tools.filter(({ name }) => name.startsWith('selfware_'));
      deepStrictEqual(known.map(({ name }) => name).sort(), names);
      for (const { name, inputSchema, description } of known) ok(inputSchema && description, name);
    });

    test('search, context and opportunities answer from the language server', async () => {
      ok((await invoke('selfware_search', { query: 'keeps a value within bounds' })).includes('src/clamp.ts'));
      ok((await invoke('selfware_context', { task: 'change grades', budget_tokens: 2000 })).includes('gradeOf'));
      ok((await invoke('selfware_opportunities', { path: 'src/grade.ts' })).includes('[unused-import]'));
      ok((await invoke('selfware_proposal', { id: 'p-0' })).includes('There is no proposal p-0'));
    });

    test('a proposal is verified, and nothing is written', async () => {
      const before = onDisk('src/agents.ts');
      const text = await invoke('selfware_propose_patch', {
        title: 'Drop what nobody uses',
        edits: [{ file: 'src/agents.ts', search: 'import { clamp, round }', replace: 'import { clamp }' }],
        wait_seconds: 200,
      });
      proposal = /\(proposal ([\w-]+)\): (?:proven|tested|checked|unchecked)\b/.exec(text)?.[1] ?? '';
      ok(proposal, text);
      strictEqual(onDisk('src/agents.ts'), before);
    });

    // What is asked, and that nothing happens without a yes, is shown in test/lsp/tools.test.ts: in a test VS Code says
    // yes to its own confirmations.
    test('confirmed, it is applied with a way back, and taken back', async () => {
      const before = onDisk('src/agents.ts');
      const applied = await invoke('selfware_apply', { proposal });
      const checkpoint = /roll_back with checkpoint ([\w-]+)/.exec(applied)?.[1];
      ok(checkpoint, applied);
      strictEqual(onDisk('src/agents.ts'), before.replace('clamp, round', 'clamp'));
      const back = await invoke('selfware_roll_back', { checkpoint });
      ok(back.startsWith('Rolled back'), back);
      strictEqual(onDisk('src/agents.ts'), before);
    });
  });
}

async function invoke(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}
