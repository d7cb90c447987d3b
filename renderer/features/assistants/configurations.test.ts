import { expect, test } from 'vitest';
import { configurationsOf } from './configurations.ts';

const SERVER = { command: 'C:\\Sidelite.exe', args: ['mcp', 'C:\\a "b".db'] };

test('each client gets its own form, with the paths as JSON spells them', () => {
  const texts = new Map(configurationsOf(SERVER, false).map(({ name, text }) => [name, JSON.parse(text) as unknown]));
  expect([...texts.keys()]).toEqual(['Claude Desktop', 'Claude Code', 'Cursor', 'VS Code', 'Other']);
  expect(texts.get('Cursor')).toEqual({ mcpServers: { sidelite: SERVER } });
  expect(texts.get('VS Code')).toEqual({ servers: { sidelite: { type: 'stdio', ...SERVER } } });
  expect(texts.get('Other')).toEqual(SERVER);
  const [asking] = configurationsOf(SERVER, true);
  expect(asking.text.split('\n')).toHaveLength(8);
  expect(asking.text).toContain('"args": ["mcp", "C:\\\\a \\"b\\".db", "--write", "ask"]');
});
