// The extensions of a database: what each adds, why one is not loaded, and the ways to add, approve, and remove one.
import { Puzzle } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { ExtensionState } from '#shared/extensions.ts';
import { visibleName, visibleText } from '#shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { plural } from '../../ui/format.ts';
import {
  addExtension,
  approveExtension,
  loadAgain,
  removeExtension,
  trustSchema,
  useExtensions,
  useTrustsSchema,
  whyNoExtensions,
} from '../../workbench/databases/extensions.ts';

export function ExtensionsSection({ database }: { readonly database: DatabaseId }): ReactNode {
  const extensions = useExtensions(database);
  const why = whyNoExtensions(database);
  return (
    <div className="health-extensions">
      <p className="health-note">
        Extensions add functions and virtual tables to SQLite, such as sqlite-vec or SpatiaLite. An extension is a
        program that runs with your rights, so each file is loaded only after you have approved it, into this database
        only, and again only while the file stays the same. The database then runs in a process of its own. No list of
        extensions in a database, in settings, or in a recipe is ever loaded.
      </p>
      {why !== null && <p className="warn-note fixed small health-problem">{why}</p>}
      {extensions.length > 0 && (
        <>
          <ul aria-label="Extensions of this database">
            {extensions.map((extension) => (
              <ExtensionLine key={extension.id} database={database} extension={extension} />
            ))}
          </ul>
          <SchemaTrust database={database} />
        </>
      )}
      <Button size="small" why={why} onClick={() => void addExtension(database)}>
        Add extension…
      </Button>
    </div>
  );
}

function SchemaTrust({ database }: { readonly database: DatabaseId }): ReactNode {
  return (
    <div>
      <CheckBox
        label="Let views, triggers, and indexes use all functions of extensions"
        checked={useTrustsSchema(database)}
        aria-describedby="schema-trust-note"
        onChange={(trusts) => void trustSchema(database, trusts)}
      />
      <p id="schema-trust-note" className="health-note">
        Otherwise they use only those that an extension declares harmless, which most extensions do not: tables of
        SpatiaLite then cannot be changed. If they may use all, whoever made this file decides which functions run when
        it is read or changed, and with which values.
      </p>
    </div>
  );
}

interface ExtensionLineProps {
  readonly database: DatabaseId;
  readonly extension: ExtensionState;
}

function ExtensionLine({ database, extension }: ExtensionLineProps): ReactNode {
  const { fileName, displayPath, why, awaitsApproval } = extension;
  return (
    <li aria-label={visibleName(fileName)}>
      <Puzzle size={15} aria-hidden />
      <span className="shrink-x break-words">
        <b className="selectable">{visibleName(fileName)}</b>
        <span className="note selectable health-setting-more">{visibleText(displayPath)}</span>
        {why === null ? (
          <span className="health-extension-adds">{addedText(extension)}</span>
        ) : (
          <span className="error" role="status">
            {visibleText(why)}
          </span>
        )}
      </span>
      {awaitsApproval ? (
        <Button size="small" onClick={() => void approveExtension(database, extension)}>
          Approve…
        </Button>
      ) : (
        why !== null && (
          <Button size="small" onClick={() => void loadAgain(database)}>
            Load again
          </Button>
        )
      )}
      <Button size="small" onClick={() => void removeExtension(database, extension)}>
        Remove
      </Button>
    </li>
  );
}

const MOST_MODULES = 8;

function addedText({ functions, modules }: ExtensionState): string {
  const named = modules.slice(0, MOST_MODULES).map(visibleName);
  if (modules.length > MOST_MODULES) named.push(`${modules.length - MOST_MODULES} more`);
  const parts = [
    ...(functions > 0 ? [plural(functions, 'function')] : []),
    ...(modules.length > 0 ? [`${plural(modules.length, 'module')} (${named.join(', ')})`] : []),
  ];
  return parts.length === 0 ? 'Loaded.' : `Loaded: ${parts.join(' and ')}.`;
}
