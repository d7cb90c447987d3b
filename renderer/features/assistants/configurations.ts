// What common clients of the Model Context Protocol need to start a server, in the form of their own configuration files.
import type { AssistantServer } from '#shared/assistants.ts';

export interface Configuration {
  readonly name: string;
  /** Where the text belongs. */
  readonly place: string;
  readonly text: string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

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
