// Checks with a page for an answer, and dismissals taken back, in the real extension host on a real repository.

import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import { createReportUri } from '../../../client/src/review/proposalUri.ts';
import { diagnosticsOf, eventually, onDisk, ruleOf, uriOf } from './place.ts';

const run = (command: string, given: object = {}) => vscode.commands.executeCommand<CommandOutcome>(command, given);

export function defineReportTests(): void {
  suite('reports', () => {
    suiteSetup(() => vscode.extensions.getExtension('selfware.selfware')?.activate());
    teardown(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

    test('the set-up is a page that opens, and that nobody can write to', async () => {
      const outcome = await run('selfware.doctor');
      const page = await opened(outcome);
      for (const name of ['runtime', 'git', 'index store', 'isolation', 'ledger', 'journal', 'trust', 'kill switch'])
        ok(new RegExp(`^\\| .\u00a0(good|degraded|bad) \\| ${name} \\|`, 'm').test(page), `${name}\n${page}`);
      await vscode.workspace.fs.writeFile(createReportUri(outcome.page?.title ?? ''), new Uint8Array()).then(
        () => ok(false, 'It was written.'),
        (error: unknown) =>
          ok(error instanceof vscode.FileSystemError && error.code === 'NoPermissions', String(error)),
      );
    });

    test('the ledger is verified', async () => {
      const outcome = await run('selfware.verifyLedger');
      ok(outcome.ok && /\d+ events, chain intact\./.test(outcome.message), outcome.message);
      ok((await opened(outcome)).includes('as written: each hash'));
    });

    test('a search of one file opens as a page', async () => {
      const given = { kind: 'findCalls', uri: uriOf('src/grade.ts').toString() };
      const outcome = await run('selfware.searchFurther', given);
      ok(outcome.ok && / in 1 file\./.test(outcome.message), outcome.message);
      ok(/^# Calls That Break\n\n\d+ functions? called \d+ times?\./.test(await opened(outcome)));
    });

    test('a baseline is written, shown and removed', async () => {
      await diagnosticsOf('src/grade.ts', 'unused-import');
      const created = await run('selfware.baseline', { kind: 'create' });
      ok(created.ok, created.message);
      ok(onDisk('.selfware/baseline.json').includes('unused-import'));
      await eventually(
        () =>
          !vscode.languages.getDiagnostics(uriOf('src/grade.ts')).some(({ code }) => ruleOf(code) === 'unused-import'),
        'what is accepted is not shown',
      );
      ok((await opened(await run('selfware.baseline', { kind: 'show' }))).includes('| unused-import |'));
      const again = await run('selfware.baseline', { kind: 'create' });
      strictEqual(again.ok, false, 'nothing that stands there is replaced unasked');
      ok((await run('selfware.baseline', { kind: 'remove' })).ok);
      await diagnosticsOf('src/grade.ts', 'unused-import');
    });

    test('a dismissal is taken back', async () => {
      const [found] = await diagnosticsOf('src/grade.ts', 'unused-import');
      const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uriOf('src/grade.ts'),
        found?.range,
        undefined,
        20,
      );
      const given = fixes.find(({ title }) => title.startsWith('Dismiss'))?.command?.arguments?.[0] as {
        opportunity: string;
      };
      strictEqual(await vscode.commands.executeCommand('selfware.dismiss', { ...given, kind: 'notAProblem' }), true);
      await eventually(
        () =>
          !vscode.languages.getDiagnostics(uriOf('src/grade.ts')).some(({ code }) => ruleOf(code) === 'unused-import'),
        'it is out of sight',
      );
      deepStrictEqual(await run('selfware.undismiss', { opportunity: given.opportunity }), {
        ok: true,
        message: 'It is shown again.',
        review: null,
      });
      await diagnosticsOf('src/grade.ts', 'unused-import');
    });
  });
}

/** The text of the page, once a tab of VS Code shows it. */
async function opened({ page }: CommandOutcome): Promise<string> {
  ok(page);
  await eventually(
    () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .some(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes('markdown')),
    'the page is open',
  );
  const { markdown } = page;
  strictEqual((await vscode.workspace.openTextDocument(createReportUri(page.title))).getText(), markdown);
  return markdown;
}
