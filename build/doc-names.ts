// Checks that what the documents name exists: links and their headings, files and folders in code spans, npm scripts.
import { posix } from 'node:path';

export interface Repository {
  /** Every file and folder, as `build/tool.ts` and `build/`. */
  readonly paths: ReadonlySet<string>;
  readonly scripts: ReadonlySet<string>;
  /** @throws for a file that is not there */
  read(path: string): string;
}

/** Made by a build or an installation, so a fresh clone lacks them. */
const GENERATED = /^(dist|out|node_modules|test-results)\/|^licenses\.md$/;
/** Words that stand for a name of the reader's choice. */
const PLACEHOLDER = /(^|\/)(x\.|name\.|NAME|FILE)|[<>…{}]/;
const FILE = /^[\w@.*/-]+\.(tsx?|mjs|cjs|json|css|html|md|svg|yml)$|^[\w-]+\.spec$/;
/** Arguments of `npm run e2e`. */
const SPEC = /\.spec$/;
const FOLDER = /^[\w@.-]+(\/[\w@.-]+)*\/$/;

/** One line for each name in a document that leads nowhere. `document` is a path from the root of the repository. */
export function deadNames(document: string, repository: Repository): string[] {
  const text = repository.read(document);
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '');
  const dead = [
    ...linksIn(prose).filter((link) => !leadsSomewhere(link, document, repository)),
    ...pathsIn(prose).filter((path) => !isThere(path, document, repository)),
    ...scriptsIn(text)
      .filter((script) => !repository.scripts.has(script))
      .map((script) => `npm run ${script}`),
  ];
  return [...new Set(dead)].map((name) => `${document}: ${name}`);
}

function linksIn(prose: string): string[] {
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
  return links.filter((target) => !/^[a-z]+:/.test(target));
}

function leadsSomewhere(link: string, document: string, { paths, read }: Repository): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? document : posix.normalize(posix.join(posix.dirname(document), path));
  if (!paths.has(target) && !paths.has(`${target}/`)) return false;
  return heading === undefined || headingsOf(read(target)).includes(heading);
}

/** Anchors of the headings as GitHub generates them. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function pathsIn(prose: string): string[] {
  const words = [...prose.matchAll(/`([^`\n]+)`/g)].flatMap(([, span]) => span!.split(/\s+/));
  return words.filter(
    (word) => (FILE.test(word) || FOLDER.test(word)) && !GENERATED.test(word) && !PLACEHOLDER.test(word),
  );
}

/**
 * Accepts a path from the root, a bare name anywhere in the top-level folder of the document, and a name with a folder before it anywhere.
 */
function isThere(name: string, document: string, { paths }: Repository): boolean {
  if (paths.has(name)) return true;
  const room = document.includes('/') ? `${document.split('/', 1)[0]}/` : '';
  const below = name.slice(0, -1).includes('/') ? '' : room;
  const pattern = new RegExp(`(^|/)${literal(SPEC.test(name) ? `${name}.ts` : name).replaceAll('\\*', '[^/]*')}$`);
  for (const path of paths) if (path.startsWith(below) && pattern.test(path)) return true;
  return false;
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function scriptsIn(text: string): string[] {
  return [...text.matchAll(/\bnpm run (?:-s )?([a-z0-9-]+(?::[a-z0-9-]+)*)/g)].map(([, script]) => script!);
}
