import type { InspectorClient } from '@ecliptic/authoring/inspector';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AssetList } from './asset-list.js';
import { ComponentEditors } from './component-editors.js';
import { Outliner } from './outliner.js';
import { ScheduleTimeline } from './schedule-timeline.js';
import { useLive } from './use-live.js';

const TABS = ['Entities', 'Schedule', 'Assets'] as const;

/** Everything that the inspector shows of the orrery, and the editing of its scene. */
export function InspectorPanel({ client }: { readonly client: InspectorClient }): JSX.Element {
  const [tab, setTab] = useState<(typeof TABS)[number]>('Entities');
  const [said, setSaid] = useState('');
  const state = useLive(client, 'session.state', {});
  const selection = state?.selection ?? [];
  const active = selection.at(-1);

  /** Does something, and says how it went. */
  const run = async (work: Promise<unknown>, done = ''): Promise<void> => {
    try {
      await work;
      setSaid(done);
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error));
    }
  };
  const edit = (component: string, field: string, value: unknown): void => {
    if (active === undefined) return;
    const label = `Set ${component}.${field}`;
    const edits = [{ kind: 'set', entity: active, component, value: { [field]: value } }] as const;
    void run(client.call('session.edit', { label, edits }));
  };
  const undo = state?.undoSteps.at(-1);
  const redo = state?.redoSteps.at(-1);
  return (
    <>
      <div class="controls" role="toolbar" aria-label="Scene">
        <button
          type="button"
          disabled={undo === undefined}
          title={undo}
          onClick={() => void run(client.call('session.undo', {}))}
        >
          Undo
        </button>
        <button
          type="button"
          disabled={redo === undefined}
          title={redo}
          onClick={() => void run(client.call('session.redo', {}))}
        >
          Redo
        </button>
        <button type="button" onClick={() => void run(client.call('scene.save', {}), 'Saved')}>
          Save
        </button>
        <button type="button" onClick={() => void run(client.call('scene.load', {}), 'Loaded')}>
          Reload
        </button>
      </div>
      <p role="status">{said}</p>
      <div class="controls" role="group" aria-label="Show">
        {TABS.map((name) => (
          <button key={name} type="button" aria-pressed={tab === name} onClick={() => setTab(name)}>
            {name}
          </button>
        ))}
      </div>
      {tab === 'Entities' && (
        <>
          <Outliner
            client={client}
            selection={selection}
            onSelect={({ uuid }) => {
              if (uuid !== null) void run(client.call('session.select', { entities: [uuid] }));
            }}
          />
          {active !== undefined && (
            <ComponentEditors key={active} client={client} entity={active} onEdit={edit} />
          )}
        </>
      )}
      {tab === 'Schedule' && <ScheduleTimeline client={client} />}
      {tab === 'Assets' && <AssetList client={client} />}
    </>
  );
}
