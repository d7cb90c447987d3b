// `npm run format`: one layout for all sources.
import { command, runTool } from './tool.ts';

await command(import.meta, (args) => runTool('oxfmt', args));
