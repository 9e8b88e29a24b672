// The extension inside the real extension host, by commands alone: what a keyboard or another extension can do.

import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import { closeReview, openReview } from '../../../client/src/review/openReview.ts';
import { createProposalUri } from '../../../client/src/review/proposalUri.ts';
import type { Reviews } from '../../../client/src/review/reviews.ts';

const improve = (opportunity?: string) =>
  vscode.commands.executeCommand<CommandOutcome>('selfware.improve', opportunity ? { opportunity } : {});

export function defineTests(): void {
  suite('selfware', () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const onDisk = (path: string) => readFileSync(join(root, path), 'utf8');
    const uriOf = (path: string) => vscode.Uri.file(join(root, path));
    let grade = '';
    let waiting = '';

    suiteSetup(async () => {
      grade = onDisk('src/grade.ts');
      const extension = vscode.extensions.getExtension('selfware.selfware');
      ok(extension, 'the extension is installed');
      await extension.activate();
    });

    teardown(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

    test('registers every contributed command and no other of its own', async () => {
      const { contributes } = vscode.extensions.getExtension('selfware.selfware')?.packageJSON as {
        contributes: { commands: { command: string }[] };
      };
      const contributed = contributes.commands.map(({ command }) => command).sort();
      // VS Code makes commands for the view; the language client those of the server.
      const registered = (await vscode.commands.getCommands(true))
        .filter((id) => /^selfware\.[A-Za-z]+$/.test(id) && id !== 'selfware.sidebar')
        .sort();
      deepStrictEqual(registered, contributed);
    });

    test('opportunities are diagnostics with a link to the rule, on the name', async () => {
      const found = await diagnosticsOf('src/grade.ts', ({ code }) => ruleOf(code) === 'unused-import');
      const [first] = found;
      ok(first);
      strictEqual(first.source, 'selfware');
      strictEqual(first.severity, vscode.DiagnosticSeverity.Information);
      ok(
        typeof first.code === 'object' && first.code.target.path.endsWith('rules/unused-import/rule.md'),
        'the code leads to the documentation',
      );
      const document = await vscode.workspace.openTextDocument(uriOf('src/grade.ts'));
      strictEqual(document.getText(first.range), 'round');
    });

    test('diagnostics follow unsaved edits', async () => {
      await diagnosticsOf('src/grade.ts', ({ code }) => ruleOf(code) === 'unused-import');
      const editor = await vscode.window.showTextDocument(uriOf('src/grade.ts'));
      const isEdited = await editor.edit((edit) =>
        edit.replace(
          new vscode.Range(0, 0, 0, editor.document.lineAt(0).text.length),
          `import { clamp } from './clamp.ts';`,
        ),
      );
      ok(isEdited, 'VS Code has refused the edit.');
      await eventually(
        () =>
          !vscode.languages.getDiagnostics(uriOf('src/grade.ts')).some(({ code }) => ruleOf(code) === 'unused-import'),
        'the diagnostic goes',
      );
      await vscode.commands.executeCommand('workbench.action.files.revert');
      strictEqual(editor.document.isDirty, false);
    });

    test('a code action improves at the cursor', async () => {
      const [first] = await diagnosticsOf('src/grade.ts', ({ code }) => ruleOf(code) === 'unused-import');
      ok(first);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uriOf('src/grade.ts'),
        first.range,
        undefined,
        10,
      );
      const own = actions.filter(({ title }) => title.startsWith('Improve'));
      strictEqual(own.length > 0, true, actions.map(({ title }) => title).join());
      strictEqual(own[0]?.command?.command, 'selfware.server.improve');
    });

    test('a hover says nothing that the problem says already, and figures are told only where the settings ask for them', async () => {
      await diagnosticsOf('src/grade.ts', ({ code }) => ruleOf(code) === 'unused-import');
      const ours = async () => (await hoverOn('round')).filter((text) => text.includes('unused-import'));
      deepStrictEqual(await ours(), []);
      const figures = async () => (await hoverOn('gradeOf')).find((text) => text.includes('cognitive complexity'));
      strictEqual(await figures(), undefined);
      await withSetting('hover.details', async () => {
        await eventually(async () => (await ours()).some((text) => text.includes('Confidence')), 'the details come');
        await eventually(
          async () => /\*\*gradeOf\*\*[^]*- line \d+: `if`/.test((await figures()) ?? ''),
          'the figures come',
        );
      });
    });

    test('figures stand above functions only where the settings ask for them', async () => {
      await diagnosticsOf('src/grade.ts', ({ code }) => ruleOf(code) === 'unused-import');
      const titles = async () =>
        (
          await vscode.commands.executeCommand<vscode.CodeLens[]>(
            'vscode.executeCodeLensProvider',
            uriOf('src/grade.ts'),
            100,
          )
        ).map(({ command }) => command?.title ?? '');
      strictEqual(
        (await titles()).some((title) => title.startsWith('cognitive ')),
        false,
      );
      await withSetting('codeLens.figures', async () => {
        await eventually(
          async () => (await titles()).some((title) => title.startsWith('cognitive ')),
          'the figures come',
        );
      });
    });

    test('a suppression is a snippet with a place for the reason', async () => {
      const [first] = await diagnosticsOf('src/grade.ts', ({ code }) => ruleOf(code) === 'unused-import');
      ok(first);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uriOf('src/grade.ts'),
        first.range,
        'quickfix',
        20,
      );
      const suppress = actions.find(({ title }) => title === 'Suppress unused-import here, with a reason');
      ok(suppress?.edit, actions.map(({ title }) => title).join());
      ok(await vscode.workspace.applyEdit(suppress.edit));
      const document = await vscode.workspace.openTextDocument(uriOf('src/grade.ts'));
      ok(document.lineAt(0).text.startsWith('// selfware-ignore-next-line unused-import: '), document.lineAt(0).text);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    test('fix all safe is one edit of the open document', async () => {
      await diagnosticsOf('src/grade.ts', ({ code }) => ruleOf(code) === 'unused-import');
      const document = await vscode.workspace.openTextDocument(uriOf('src/grade.ts'));
      const whole = new vscode.Range(0, 0, document.lineCount, 0);
      const [action] = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uriOf('src/grade.ts'),
        whole,
        'source.fixAll.selfware',
      );
      ok(action?.edit, 'there is something to fix');
      deepStrictEqual(
        action.edit.entries().map(([uri]) => uri.fsPath),
        [uriOf('src/grade.ts').fsPath],
      );
      ok(await vscode.workspace.applyEdit(action.edit));
      strictEqual(/round/.test(document.getText()), false);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      strictEqual(onDisk('src/grade.ts'), grade);
    });

    test('improve opens a verified diff and changes nothing', async () => {
      const outcome = await improve();
      ok(outcome.ok && outcome.review, outcome.message);
      strictEqual(outcome.review.status, 'verified');
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      ok(input instanceof vscode.TabInputTextDiff);
      strictEqual(input.modified.scheme, 'selfware-proposal');
      for (const { path, before } of outcome.review.files) strictEqual(onDisk(path), before);
      strictEqual(
        vscode.workspace.textDocuments.some(({ isDirty }) => isDirty),
        false,
      );
      const { id, files } = outcome.review;
      const after = await vscode.workspace.openTextDocument(
        createProposalUri({ proposal: id, side: 'after', path: files[0]?.path ?? '' }),
      );
      strictEqual(after.getText(), files[0]?.after);
      waiting = id;
    });

    test('nothing is applied while stopped', async () => {
      await vscode.commands.executeCommand('selfware.stop');
      const refused = await vscode.commands.executeCommand<CommandOutcome>('selfware.applyAll', { proposal: waiting });
      strictEqual(refused.ok, false);
      await vscode.commands.executeCommand('selfware.resume');
      strictEqual(onDisk('src/grade.ts'), grade);
      await reject(waiting);
    });

    test('the keyboard skips a hunk, takes it in again, applies all, and rolls back', async () => {
      const outcome = await improveWith('src/grade.ts', 'else-after-return');
      const review = outcome.review;
      ok(review?.files[0]);
      const { hunks, path, before, after } = review.files[0];
      ok(hunks.length > 1, 'more than one hunk');
      const side = createProposalUri({ proposal: review.id, side: 'after', path });
      const titles = async () =>
        (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', side, 100)).map(
          ({ command }) => command?.title,
        );

      ok((await titles()).includes('Apply hunk'));
      await eventually(
        () => vscode.window.activeTextEditor?.document.uri.toString() === side.toString(),
        'the after side has the focus',
      );
      await vscode.commands.executeCommand('selfware.skipHunk');
      ok((await titles()).includes('Apply all but 1 skipped'), (await titles()).join());
      await vscode.commands.executeCommand('selfware.skipHunk');
      ok((await titles()).includes('Apply all'));

      // Without the moved return the function would end without one: a part is verified by itself.
      const part = await vscode.commands.executeCommand<CommandOutcome>('selfware.applyHunk', {
        proposal: review.id,
        hunk: hunks[0]?.index,
      });
      strictEqual(part.ok, false, part.message);
      strictEqual(onDisk(path), before);

      const applied = await vscode.commands.executeCommand<CommandOutcome>('selfware.applyAll');
      ok(applied.ok, applied.message);
      strictEqual(onDisk(path), after);
      strictEqual(
        vscode.workspace.textDocuments.some(({ isDirty }) => isDirty),
        false,
      );
      strictEqual(
        vscode.window.tabGroups.all
          .flatMap(({ tabs }) => tabs)
          .some(({ input }) => input instanceof vscode.TabInputTextDiff),
        false,
        'the review is closed',
      );
      const shown = vscode.window.activeTextEditor;
      strictEqual(shown?.document.uri.toString(), uriOf(path).toString(), 'the file is shown');
      strictEqual(shown?.selection.active.line, (hunks[0]?.afterLine ?? 0) - 1, 'at what has changed in it');

      const checkpoint = applied.review?.checkpoint;
      ok(checkpoint, applied.message);
      const again = await vscode.commands.executeCommand<CommandOutcome>('selfware.verifyChange', { checkpoint });
      ok(again.ok && again.message.endsWith(': holds.'), again.message);
      const back = await vscode.commands.executeCommand<CommandOutcome>('selfware.rollback', { checkpoint });
      ok(back.ok, back.message);
      strictEqual(onDisk(path), before);
      strictEqual(execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }), '');
    });

    test('a file with unsaved changes is not touched', async () => {
      const outcome = await improveWith('src/report.ts', 'else-after-return');
      ok(outcome.review);
      const editor = await vscode.window.showTextDocument(uriOf('src/report.ts'));
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// mine\n'));
      const refused = await vscode.commands.executeCommand<CommandOutcome>('selfware.applyAll', {
        proposal: outcome.review.id,
      });
      strictEqual(refused.ok, false);
      strictEqual(editor.document.isDirty, true);
      ok(editor.document.getText().startsWith('// mine'));
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await reject(outcome.review.id);
    });

    test('what was rejected is not proposed again, and the place says why and since when', async () => {
      const titles = (await actionsFor('src/report.ts', 'else-after-return')).map(({ title }) => title);
      ok(
        titles.some((title) => /^Try Again: .* Rejected before: A test \(since \d{4}-/.test(title)),
        titles.join(),
      );
      ok(!titles.some((title) => /^Improve(?! with a Model)/.test(title)), titles.join());
    });

    test('several files open in one diff of many, and close again', async () => {
      const file = (path: string) => ({
        path,
        uri: uriOf(path).toString(),
        before: '',
        after: '',
        created: false,
        deleted: false,
        hunks: [],
      });
      const review = {
        id: 'none',
        title: 'Two files',
        rationale: '',
        status: 'verified',
        recipe: '',
        safety: '',
        files: [file('src/grade.ts'), file('src/report.ts')],
        verdicts: [],
        pointsBefore: null,
        pointsAfter: null,
        reason: null,
      };
      await openReview(review);
      const labels = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map(({ label }) => label);
      await eventually(() => labels().some((label) => label.startsWith('Two files · Selfware')), 'the diff opens');
      await closeReview('none', { get: async () => review } as unknown as Reviews);
      await eventually(() => labels().length === 0, 'it closes');
    });

    /** What all hovers on the first mention of a name in `src/grade.ts` say. */
    async function hoverOn(name: string): Promise<string[]> {
      const document = await vscode.workspace.openTextDocument(uriOf('src/grade.ts'));
      const position = document.positionAt(document.getText().indexOf(name) + 2);
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        position,
      );
      return hovers.flatMap(({ contents }) => contents.map((part) => (typeof part === 'string' ? part : part.value)));
    }

    async function diagnosticsOf(
      path: string,
      wanted: (diagnostic: vscode.Diagnostic) => boolean,
    ): Promise<vscode.Diagnostic[]> {
      await vscode.window.showTextDocument(uriOf(path));
      const found = () =>
        vscode.languages
          .getDiagnostics(uriOf(path))
          .filter((diagnostic) => diagnostic.source === 'selfware' && wanted(diagnostic));
      await eventually(() => found().length > 0, `diagnostics of ${path}`);
      return found();
    }

    /** By the code action, as the keyboard does it. */
    async function actionsFor(path: string, rule: string): Promise<readonly vscode.CodeAction[]> {
      const [diagnostic] = await diagnosticsOf(path, ({ code }) => ruleOf(code) === rule);
      ok(diagnostic);
      return vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uriOf(path),
        diagnostic.range,
        undefined,
        10,
      );
    }

    async function improveWith(path: string, rule: string): Promise<CommandOutcome> {
      const actions = await actionsFor(path, rule);
      const command = actions.find(({ title, command }) => title.startsWith('Improve') && command)?.command;
      ok(command, actions.map(({ title }) => title).join());
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      return vscode.commands.executeCommand<CommandOutcome>(command.command, ...(command.arguments ?? []));
    }
  });
}

/** Switched on for everything while this runs. */
async function withSetting(name: string, work: () => Promise<void>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('selfware');
  await configuration.update(name, true, vscode.ConfigurationTarget.Global);
  try {
    await work();
  } finally {
    await configuration.update(name, undefined, vscode.ConfigurationTarget.Global);
  }
}

async function reject(proposal: string): Promise<void> {
  const outcome = await vscode.commands.executeCommand<CommandOutcome>('selfware.reject', {
    proposal,
    reason: 'A test.',
  });
  ok(outcome.ok, outcome.message);
}

function ruleOf(code: vscode.Diagnostic['code']): string {
  return String(typeof code === 'object' ? code.value : code);
}

async function eventually(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((done) => setTimeout(done, 25)))
    if (await condition()) return;
  throw new Error(`Waited in vain: ${what}`);
}
