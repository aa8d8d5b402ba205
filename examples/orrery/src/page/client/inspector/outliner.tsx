import type { EntitySummary, InspectorClient } from '@ecliptic/authoring/inspector';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { moveInTree } from './move-in-tree.js';
import { useLive } from './use-live.js';

const PAGE = 100;

/** What all parts of the tree share. */
interface TreeProps {
  readonly client: InspectorClient;
  /** UUIDs. */
  readonly selection: readonly string[];
  readonly onSelect: (entity: EntitySummary) => void;
}

/** The entities as a tree, page by page, or those whose name has a part. */
export function Outliner(props: TreeProps): JSX.Element {
  const [name, setName] = useState('');
  return (
    <section aria-label="Entities">
      <input
        type="search"
        placeholder="Find by name"
        aria-label="Find by name"
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <div role="tree" aria-label="Entities" tabIndex={0} onKeyDown={moveInTree}>
        {name === '' ? <Branch {...props} of={null} /> : <Found {...props} name={name} />}
      </div>
    </section>
  );
}

/** The entities right below one: a page, and more when they are asked for. */
function Branch({ of, ...props }: TreeProps & { readonly of: number | null }): JSX.Element {
  const [pages, setPages] = useState(1);
  const first = useLive(props.client, 'entities.children', { of, limit: 1 });
  const left = (first?.total ?? 0) - pages * PAGE;
  return (
    <>
      {Array.from({ length: pages }, (_, page) => (
        <BranchPage key={page} {...props} of={of} offset={page * PAGE} />
      ))}
      {left > 0 && (
        <button type="button" class="more" onClick={() => setPages(pages + 1)}>
          {Math.min(PAGE, left)} more of {left.toLocaleString('en-US')}
        </button>
      )}
    </>
  );
}

function BranchPage({
  of,
  offset,
  ...props
}: TreeProps & { readonly of: number | null; readonly offset: number }): JSX.Element {
  const page = useLive(props.client, 'entities.children', { of, offset, limit: PAGE });
  return (
    <>
      {page?.entities.map((entity) => (
        <Twig key={entity.id} {...props} entity={entity} />
      ))}
    </>
  );
}

function Found({ name, ...props }: TreeProps & { readonly name: string }): JSX.Element {
  const found = useLive(props.client, 'entities.find', { name, limit: PAGE });
  return (
    <>
      {found?.entities.map((entity) => (
        <Twig key={entity.id} {...props} entity={entity} />
      ))}
    </>
  );
}

/** One entity and, when it is opened, what is below it. */
function Twig({ entity, ...props }: TreeProps & { readonly entity: EntitySummary }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { id, uuid, label, children } = entity;
  const hasChildren = children > 0;
  return (
    <div
      role="treeitem"
      tabIndex={-1}
      aria-selected={uuid !== null && props.selection.includes(uuid)}
      aria-expanded={hasChildren ? isOpen : undefined}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return;
        if (event.key === 'ArrowRight' && hasChildren) setOpen(true);
        if (event.key === 'ArrowLeft') setOpen(false);
        if (event.key === 'Enter' || event.key === ' ') props.onSelect(entity);
      }}
    >
      <span class="twig">
        <button
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          class="opener"
          onClick={() => setOpen(!isOpen)}
        >
          {hasChildren ? (isOpen ? '▾' : '▸') : ''}
        </button>
        <span class="name" onClick={() => props.onSelect(entity)}>
          {label}
        </span>
      </span>
      {isOpen && hasChildren && (
        <div role="group">
          <Branch {...props} of={id} />
        </div>
      )}
    </div>
  );
}
