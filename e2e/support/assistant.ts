// An assistant: a `sidelite mcp` beside the app, as its client starts it.
import { startCommand } from './command.ts';
import type { RunningCommand } from '../../build/running-command.test-suite.ts';
import type { SideliteApp } from '../sidelite-app.ts';

export class Assistant {
  readonly command: RunningCommand;
  readonly #answers = new Map<number, (answer: unknown) => void>();
  #last = 0;

  constructor(app: SideliteApp, words: readonly string[]) {
    this.command = startCommand(app, ['mcp', ...words], { staysOpen: true });
    let rest = '';
    this.command.child.stdout.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const { id, result } = JSON.parse(line) as { readonly id: number; readonly result: unknown };
        this.#answers.get(id)?.(result);
      }
    });
    const clientInfo = { name: 'claude\u202ecode', version: '2.0' };
    void this.#ask('initialize', { protocolVersion: '2025-06-18', clientInfo });
  }

  /** What the tool returns, as JSON. */
  async call(name: string, given: object): Promise<unknown> {
    const result = await this.#ask('tools/call', { name, arguments: given });
    const { content } = result as { readonly content: readonly [unknown, { readonly text: string }] };
    return JSON.parse(content[1].text);
  }

  /** The client ends. */
  async end(): Promise<void> {
    this.command.child.stdin.end();
    await this.command.ended;
  }

  #ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#last;
    const answered = new Promise((resolve) => this.#answers.set(id, resolve));
    this.command.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answered;
  }
}
