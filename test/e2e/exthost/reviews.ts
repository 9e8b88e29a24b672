// Reviews inside the real extension host: edited by the person, of files that change meanwhile; evidence, undo, focus.

import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { CommandOutcome, Review } from '#protocol/review';
import {
  createEvidenceUri,
  createExplainUri,
  parseProposalUri,
  createProposalUri,
} from '../../../client/src/review/proposalUri.ts';
import { checkLabel } from '../../../server/src/protocol/plainWords.ts';
import { eventually, onDisk, quickFixes, rootDir, uriOf } from './place.ts';

const run = <T = CommandOutcome>(command: string, given: object = {}) =>
  vscode.commands.executeCommand<T>(command, given);
const git = (...args: string[]) => execFileSync('git', args, { cwd: rootDir(), encoding: 'utf8' }).trim();
const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
const sideOf = (review: Review, side: 'before' | 'after', path = review.files[0]?.path ?? '') =>
  createProposalUri({ proposal: review.id, side, path });

export function defineReviewTests(): void {
  suite('reviews', () => {
    let level: Review;

    suiteTeardown(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

    test('the lightbulb offers Improve, Suppress, Dismiss and Explain', async () => {
      const titles = (await quickFixes('src/level.ts', 'unused-import')).map(({ title }) => title);
      for (const verb of ['Improve', 'Suppress', 'Dismiss', 'Explain'])
        ok(
          titles.some((title) => title.startsWith(verb)),
          titles.join(),
        );
    });

    test('Explain shows the page of the rule with the evidence of this place', async () => {
      const explain = (await quickFixes('src/level.ts', 'unused-import')).find(({ title }) =>
        title.startsWith('Explain'),
      )?.command;
      const given = explain?.arguments?.[0] as { uri: string; opportunity: string; rule: string };
      const page = (await vscode.workspace.openTextDocument(createExplainUri(given))).getText();
      ok(
        /^# unused-import, line 1 of src\/level\.ts/.test(page) &&
          /Confidence \d+ %/.test(page) &&
          page.includes('## Why it matters'),
        page,
      );
    });

    test('a folder of the Explorer, and a file of the Source Control view, are improved', async () => {
      // What a menu hands over, in both forms.
      const file = uriOf('src/level.ts');
      const outcome = await vscode.commands.executeCommand<CommandOutcome>(
        'selfware.improveThis',
        { resourceUri: file },
        { resourceUri: file },
      );
      ok(outcome.ok && outcome.review, outcome.message);
      level = outcome.review;
      deepStrictEqual(
        level.files.map(({ path }) => path),
        ['src/level.ts'],
      );
      const nothing = await vscode.commands.executeCommand<CommandOutcome>('selfware.improveThis', uriOf('test'), [
        uriOf('test'),
      ]);
      strictEqual(nothing.ok, false, nothing.message);
    });

    test('the evidence names every check with its time, points by category, and where the proposal comes from', async () => {
      const page = (await vscode.workspace.openTextDocument(createEvidenceUri(level))).getText();
      for (const { gate, outcome, notNeeded } of level.verdicts) {
        const shown = notNeeded === undefined ? outcome : 'not.needed';
        ok(new RegExp(`\\| ${checkLabel(gate)} \\| .\\s${shown} \\| [\\d.]+\\sm?s \\|`).test(page), `${gate}\n${page}`);
      }
      for (const part of [
        '| Code quality |',
        '| **all** |',
        '## What protects these lines',
        'Recipe `remove-unused`',
        'Attempt 1',
      ])
        ok(page.includes(part), `${part}\n${page}`);
    });

    test('a hover on a changed line says why', async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        sideOf(level, 'after'),
        new vscode.Position(0, 3),
      );
      const text = hovers
        .flatMap(({ contents }) => contents.map((part) => (typeof part === 'string' ? part : part.value)))
        .join('\n');
      ok(text.includes('checks passed') && text.includes('command:selfware.evidence'), text);
      deepStrictEqual(
        await vscode.commands.executeCommand<vscode.Hover[]>(
          'vscode.executeHoverProvider',
          sideOf(level, 'after'),
          new vscode.Position(3, 3),
        ),
        [],
      );
    });

    test('only the right side can be written to, and it never is a real file', async () => {
      await rejects(Promise.resolve(vscode.workspace.fs.writeFile(sideOf(level, 'before'), Buffer.from('mine'))));
      await rejects(Promise.resolve(vscode.workspace.fs.writeFile(createEvidenceUri(level), Buffer.from('mine'))));
      await rejects(Promise.resolve(vscode.workspace.fs.delete(sideOf(level, 'after'))));
      await editAfter(level, 'from 0 to 2.', 'between 0 and 2.');
      strictEqual(onDisk('src/level.ts'), level.files[0]?.before);
      const titles = await lensesOf(level);
      ok(titles.includes('Apply with my edits') && titles.includes('Discard my edits'), titles.join());
    });

    test('edits that do not pass are refused, and stay in the review', async () => {
      await editAfter(level, 'return [50, 90]', 'return [50, 90');
      const refused = await run('selfware.applyAll', { proposal: level.id });
      strictEqual(refused.ok, false);
      ok(/With your edits/.test(refused.message), refused.message);
      strictEqual(onDisk('src/level.ts'), level.files[0]?.before);
      const there = (await vscode.workspace.openTextDocument(sideOf(level, 'after'))).getText();
      ok(there.includes('return [50, 90.filter') && there.includes('between 0 and 2. */'), there);
    });

    test('edits that pass are applied as they stand, and recorded as a correction', async () => {
      await editAfter(level, 'return [50, 90.', 'return [50, 90].');
      const edited = (await vscode.workspace.openTextDocument(sideOf(level, 'after'))).getText();
      const applied = await run('selfware.applyAll', { proposal: level.id });
      ok(applied.ok, applied.message);
      strictEqual(onDisk('src/level.ts'), edited);
      ok(applied.review?.title.endsWith('(corrected by hand)'), applied.review?.title);
      const corrected = level;
      level = applied.review ?? level;
      strictEqual(
        tabs().some(({ isDirty }) => isDirty),
        false,
        'nobody is asked about an unsaved document',
      );
      await eventually(
        async () =>
          (await vscode.workspace.openTextDocument(createEvidenceUri(corrected)))
            .getText()
            .includes('Corrected by a person'),
        'the page of the first proposal says so',
      );
    });

    test('undo is the person’s: it takes back our change, and then what was typed before', async () => {
      strictEqual(level.status, 'kept');
      await run('selfware.rollback', { checkpoint: level.checkpoint ?? '' });
      const editor = await vscode.window.showTextDocument(uriOf('src/undone.ts'));
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// mine\n'));
      await editor.document.save();
      const outcome = await vscode.commands.executeCommand<CommandOutcome>(
        'selfware.improveThis',
        uriOf('src/undone.ts'),
        [uriOf('src/undone.ts')],
      );
      ok(outcome.ok && outcome.review, outcome.message);
      const review = outcome.review;
      strictEqual(
        vscode.workspace.textDocuments.some(({ isDirty }) => isDirty),
        false,
      );

      const applied = await run('selfware.applyAll', { proposal: review.id });
      ok(applied.ok, applied.message);
      for (const { path, after } of review.files) strictEqual(onDisk(path), after);
      strictEqual(
        tabs().some(({ input }) => input instanceof vscode.TabInputTextDiff),
        false,
        'the review is closed',
      );

      const back = await vscode.window.showTextDocument(uriOf('src/undone.ts'));
      const before = review.files.find(({ path }) => path === 'src/undone.ts')?.before ?? '';
      await vscode.commands.executeCommand('undo');
      strictEqual(back.document.getText(), before);
      await vscode.commands.executeCommand('undo');
      strictEqual(back.document.getText(), before.replace('// mine\n', ''));
      await vscode.commands.executeCommand('workbench.action.files.revert');
      const rolledBack = await run('selfware.rollback', { checkpoint: applied.review?.checkpoint ?? '' });
      ok(rolledBack.ok, rolledBack.message);
      for (const { path, before: bytes } of review.files) strictEqual(onDisk(path), bytes);
    });

    test('what becomes ready in the background opens nothing and takes no focus', async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      const editor = await vscode.window.showTextDocument(uriOf('README.md'));
      const outcome = await run('selfware.fixAll');
      ok(outcome.ok, outcome.message);
      deepStrictEqual(
        tabs().map(({ label }) => label),
        ['README.md'],
      );
      strictEqual(vscode.window.activeTextEditor, editor);
    });

    test('next and previous go around what waits', async () => {
      await run('selfware.nextProposal');
      const first = await shown();
      await run('selfware.nextProposal');
      const second = await shown(first);
      await run('selfware.previousProposal');
      strictEqual(await shown(second), first);
    });

    test('a file that is deleted while its proposal waits: a message, and it stays deleted', async () => {
      const { review } = await vscode.commands.executeCommand<CommandOutcome>(
        'selfware.improveThis',
        uriOf('src/gone.ts'),
        [uriOf('src/gone.ts')],
      );
      ok(review);
      await vscode.workspace.fs.delete(uriOf('src/gone.ts'));
      const refused = await run('selfware.applyAll', { proposal: review.id });
      strictEqual(refused.ok, false);
      ok(/src\/gone\.ts .*(deleted|renamed)/.test(refused.message), refused.message);
      await rejects(Promise.resolve(vscode.workspace.fs.stat(uriOf('src/gone.ts'))));
      writeFileSync(uriOf('src/gone.ts').fsPath, review.files[0]?.before ?? '');
    });

    test('a file that is renamed while its proposal waits: a message, and neither name is written', async () => {
      const { review } = await vscode.commands.executeCommand<CommandOutcome>(
        'selfware.improveThis',
        uriOf('src/moved.ts'),
        [uriOf('src/moved.ts')],
      );
      ok(review);
      await vscode.workspace.fs.rename(uriOf('src/moved.ts'), uriOf('src/elsewhere.ts'));
      const refused = await run('selfware.applyAll', { proposal: review.id });
      strictEqual(refused.ok, false);
      ok(/src\/moved\.ts .*(deleted|renamed)/.test(refused.message), refused.message);
      strictEqual(onDisk('src/elsewhere.ts'), review.files[0]?.before);
      await rejects(Promise.resolve(vscode.workspace.fs.stat(uriOf('src/moved.ts'))));
      await vscode.workspace.fs.rename(uriOf('src/elsewhere.ts'), uriOf('src/moved.ts'));
    });

    test('kept changes are committed on a branch of their own, and the rest stays as it is', async () => {
      const applied = await run('selfware.applyAll', { proposal: await waitingFor('src/kept.ts') });
      ok(applied.ok, applied.message);
      const [head, branch] = [git('rev-parse', 'HEAD'), git('branch', '--show-current')];
      const committed = await run('selfware.commit', { branch: 'kept', proposal: applied.review?.id ?? '' });
      ok(committed.ok, committed.message);
      strictEqual(git('log', '-1', '--format=%P', 'kept'), head);
      deepStrictEqual([git('rev-parse', 'HEAD'), git('branch', '--show-current')], [head, branch]);
      const again = await run('selfware.keep', { proposal: applied.review?.id ?? '', reason: 'A test.' });
      strictEqual(again.ok, false, 'what is kept is not in probation');
      const judged = await run('selfware.judge');
      ok(judged.message.includes('No applied change waits for its checks'), judged.message);
    });

    async function waitingFor(path: string): Promise<string> {
      const outcome = await vscode.commands.executeCommand<CommandOutcome>('selfware.improveThis', uriOf(path), [
        uriOf(path),
      ]);
      ok(outcome.ok && outcome.review, outcome.message);
      return outcome.review.id;
    }

    async function editAfter(review: Review, from: string, to: string): Promise<void> {
      const document = await vscode.workspace.openTextDocument(sideOf(review, 'after'));
      const at = document.getText().indexOf(from);
      ok(at >= 0, document.getText());
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + from.length)), to);
      ok(await vscode.workspace.applyEdit(edit));
    }

    async function lensesOf(review: Review): Promise<(string | undefined)[]> {
      return (
        await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          sideOf(review, 'after'),
          100,
        )
      ).map(({ command }) => command?.title);
    }

    /** The proposal in front, once it is another than `not`. */
    async function shown(not?: string): Promise<string> {
      const inFront = () => {
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        return input instanceof vscode.TabInputTextDiff ? parseProposalUri(input.modified)?.proposal : undefined;
      };
      await eventually(() => inFront() !== undefined && inFront() !== not, 'another review is in front');
      return inFront() ?? '';
    }
  });
}
