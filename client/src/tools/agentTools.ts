// Tools for agents in VS Code (`vscode.lm`). Each passes its call to the language server and asks the person first if
// needed.

import * as vscode from 'vscode';
import type { ToolRequest } from '#protocol/tools';
import type { Server } from '../server/languageClient.ts';
import { isCancelled } from '../messages.ts';

/** Prefix of the tools' names in the list that all extensions share. */
const prefix = 'selfware_';

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

function createTool(server: Server, toolName: string): vscode.LanguageModelTool<unknown> {
  const requestFor = (input: unknown): ToolRequest => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    return {
      name: toolName.slice(prefix.length),
      input,
      ...(uri?.scheme === 'file' ? { uri: uri.toString() } : {}),
    };
  };

  /** Inputs about which the person was asked; a person cannot have agreed to any other. */
  const askedInputs = new Set<string>();

  return {
    async prepareInvocation({ input }) {
      const { doing, question } = await server.prepareTool(requestFor(input));
      if (!question) return { invocationMessage: doing };
      askedInputs.add(JSON.stringify(input));
      // An agent's text must not look like Selfware's own: no links, no markup.
      return {
        invocationMessage: doing,
        confirmationMessages: {
          title: question.title,
          message: new vscode.MarkdownString().appendText(question.message),
        },
      };
    },
    async invoke({ input }, token) {
      const request = requestFor(input);
      try {
        // A call after the question means that the person agreed, unless VS Code is set to approve every call: then no
        // person has agreed.
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

/** True if the setting is on that lets every tool of every extension run without asking. Its name has changed once. */
function isEverythingApproved(): boolean {
  const chat = vscode.workspace.getConfiguration('chat.tools');
  return chat.get('global.autoApprove') === true || chat.get('autoApprove') === true;
}
