// Registers Selfware's tools for the agents of VS Code (`vscode.lm`). Each tool passes its calls to the language
// server, and asks the person first if the server requires it.

import * as vscode from 'vscode';
import type { ToolRequest } from '#protocol/tools';
import type { Server } from '../server/languageClient.ts';
import { isCancelled } from '../messages.ts';

/** Prefix of the tools' names, because all extensions share one list of tools. */
const NAME_PREFIX = 'selfware_';

/** An entry of `contributes.languageModelTools` in package.json. */
interface ContributedTool {
  readonly name: string;
}

/** Registers a tool for each entry of `contributes.languageModelTools`. */
export function registerAgentTools(server: Server, extension: vscode.Extension<unknown>): vscode.Disposable {
  const { contributes } = extension.packageJSON as {
    readonly contributes: { readonly languageModelTools: readonly ContributedTool[] };
  };
  return vscode.Disposable.from(
    ...contributes.languageModelTools.map(({ name }) =>
      vscode.lm.registerTool<unknown>(name, createTool(server, name)),
    ),
  );
}

/** The tool for VS Code, which passes its calls to the server. */
function createTool(server: Server, toolName: string): vscode.LanguageModelTool<unknown> {
  const createRequest = (input: unknown): ToolRequest => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    return {
      name: toolName.slice(NAME_PREFIX.length),
      input,
      ...(uri?.scheme === 'file' ? { uri: uri.toString() } : {}),
    };
  };

  /** The inputs (as JSON) about which the person was asked. A call with any other input has no agreement. */
  const askedInputs = new Set<string>();

  return {
    async prepareInvocation({ input }) {
      const { doing, question } = await server.prepareTool(createRequest(input));
      if (!question) return { invocationMessage: doing };
      askedInputs.add(JSON.stringify(input));
      // The text of an agent must not look like a text of Selfware, so links and markup are escaped.
      return {
        invocationMessage: doing,
        confirmationMessages: {
          title: question.title,
          message: new vscode.MarkdownString().appendText(question.message),
        },
      };
    },
    async invoke({ input }, token) {
      const request = createRequest(input);
      try {
        // VS Code calls a tool only after the person has agreed to the question, unless it is set to approve every
        // call: then no person has agreed.
        const agreed = askedInputs.delete(JSON.stringify(input)) && !isEverythingApproved();
        const { text } = await server.callTool({ ...request, agreed }, token);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      } catch (error) {
        if (token.isCancellationRequested || isCancelled(error)) throw new vscode.CancellationError();
        throw error;
      }
    },
  };
}

/**
 * True if VS Code lets every tool of every extension run without asking. Newer versions have another name for the
 * setting.
 */
function isEverythingApproved(): boolean {
  const chat = vscode.workspace.getConfiguration('chat.tools');
  return chat.get('global.autoApprove') === true || chat.get('autoApprove') === true;
}
