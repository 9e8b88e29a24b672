// "Forget a Lesson…": makes Selfware ignore something that it has learned. Asks which lesson; if the sidebar names it,
// asks only for confirmation.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { LessonState } from '#protocol/state';
import type { ClientContext } from '../context.ts';
import { showFailure, showMessage } from '../messages.ts';

/**
 * Runs the command. Undefined if nothing was learned, if the named lesson no longer exists, or if the person cancelled.
 */
export async function forgetLesson(
  { server, feed, output }: ClientContext,
  lessonId?: string,
): Promise<CommandOutcome | undefined> {
  const { lessons } = (await feed.refresh())?.learned ?? { lessons: [] };
  const lesson = lessonId === undefined ? await pickLesson(lessons) : lessons.find(({ id }) => id === lessonId);
  if (!lesson || (lessonId !== undefined && !(await confirmForgetting(lesson)))) return undefined;
  const outcome = await server.execute('forgetLesson', { lesson: lesson.id });
  await feed.refresh();
  if (outcome.ok) vscode.window.setStatusBarMessage(outcome.message, 8000);
  else showFailure(outcome, output);
  return outcome;
}

/** The lesson that the person picks from those that can be forgotten; undefined if there is none or they cancel. */
async function pickLesson(lessons: readonly LessonState[]): Promise<LessonState | undefined> {
  const forgettable = lessons.filter((lesson) => lesson.forgettable !== false);
  if (forgettable.length === 0) {
    void showMessage('Nothing was learned yet.');
    return undefined;
  }
  const items = forgettable.map((lesson) => ({ lesson, label: lesson.text, detail: lesson.effects.join(' ') }));
  const placeHolder = 'What should no longer count? New experience of the same kind is learned again.';
  return (await vscode.window.showQuickPick(items, { title: 'Forget a Lesson', placeHolder }))?.lesson;
}

async function confirmForgetting({ text, effects }: LessonState): Promise<boolean> {
  const forgetLabel = 'Forget';
  const detail = `${text}\n\nThis no longer holds afterwards:\n${effects.map((effect) => `- ${effect}`).join('\n')}`;
  return (
    (await vscode.window.showWarningMessage('Forget this lesson?', { modal: true, detail }, forgetLabel)) ===
    forgetLabel
  );
}
