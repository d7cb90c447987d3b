// What common clients of the Model Context Protocol need to start a server, in the form of their own configuration files.
import type { AssistantServer } from '#shared/assistants.ts';

export interface Configuration {
  readonly name: string;
  /** Where the text belongs. */
  readonly place: string;
  readonly text: string;
}

/** As `JSON.stringify` writes it, with the words of a list on one line. */
function json(value: object, indent = ''): string {
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(([key, one]: [string, unknown]) => {
    if (Array.isArray(one)) return `"${key}": [${one.map((word) => JSON.stringify(word)).join(', ')}]`;
    return `"${key}": ${typeof one === 'object' && one !== null ? json(one, inner) : JSON.stringify(one)}`;
  });
  return `{\n${lines.map((line) => inner + line).join(',\n')}\n${indent}}`;
}

/** @param mayPropose with `--write ask` */
export function configurationsOf(
  { command, args }: AssistantServer,
  mayPropose: boolean,
): readonly [Configuration, ...Configuration[]] {
  const server = { command, args: mayPropose ? [...args, '--write', 'ask'] : args };
  const usual = json({ mcpServers: { sidelite: server } });
  return [
    { name: 'Claude Desktop', place: 'claude_desktop_config.json (Settings, Developer, Edit Config)', text: usual },
    { name: 'Claude Code', place: '.mcp.json in the folder of your project', text: usual },
    { name: 'Cursor', place: '~/.cursor/mcp.json, or .cursor/mcp.json in the folder of your project', text: usual },
    {
      name: 'VS Code',
      place: '.vscode/mcp.json in the folder of your project',
      text: json({ servers: { sidelite: { type: 'stdio', ...server } } }),
    },
    { name: 'Other', place: 'the configuration of a server that is started by its command', text: json(server) },
  ];
}
