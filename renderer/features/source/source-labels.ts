// Labels for a library copy and the file it came from. Pure.
import type { SourceState } from '#shared/protocol/index.ts';

type Tone = 'calm' | 'note' | 'warn';

interface SourceLabels {
  readonly label: string;
  readonly tone: Tone;
  readonly sentence: string;
}

/** @param source null: the database did not come from a file */
export function sourceLabels(source: SourceState | null, fileName: string): SourceLabels {
  if (!source)
    return {
      label: 'Library only',
      tone: 'calm',
      sentence: 'Changes are saved to the library immediately. There is no source file.',
    };
  const { disk, changedHere, keptMine, why } = source;
  const file = `“${fileName}”`;
  switch (disk) {
    case 'missing':
      return {
        label: 'Source missing',
        tone: 'warn',
        sentence: `${file} is no longer where it was. This copy is complete, and saved in the library.`,
      };
    case 'unreadable':
      return {
        label: 'Source not readable',
        tone: 'warn',
        sentence: `${why ?? `${file} cannot be read.`} This copy is complete.`,
      };
    case 'unknown':
      return {
        label: 'Source not compared',
        tone: 'calm',
        sentence: `Sidelite can’t tell whether ${file} and this copy are the same. Compare them to find out.`,
      };
    case 'unchanged':
      return changedHere
        ? {
            label: 'Changed here',
            tone: 'note',
            sentence: `Your changes are saved in the library, not in ${file}. Save to Source writes them there.`,
          }
        : { label: 'Source unchanged', tone: 'calm', sentence: `${file} and this copy are the same.` };
    case 'changed':
    case 'replaced':
      return onDiskChanged(disk, changedHere, keptMine, file);
  }
}

function onDiskChanged(
  disk: 'changed' | 'replaced',
  changedHere: boolean | null,
  keptMine: boolean,
  file: string,
): SourceLabels {
  const what = disk === 'replaced' ? `${file} was replaced by another file` : `${file} was changed on disk`;
  const here = changedHere ? ', and this copy was changed here' : '';
  return {
    label: changedHere ? 'Both changed' : 'Changed on disk',
    tone: keptMine ? 'calm' : 'warn',
    sentence: `${what} since the import or the last save${here}.${keptMine ? ' Your version is kept until it changes again.' : ''}`,
  };
}

/** The source has changed: saving over it is a decision. */
export const isAnother = ({ disk }: SourceState): boolean =>
  disk === 'changed' || disk === 'replaced' || disk === 'missing' || disk === 'unknown' || disk === 'unreadable';
