import { InspectorClient, portConnection } from '@ecliptic/authoring/inspector';
import { render } from 'preact';
import { InspectorPanel } from './inspector-panel.js';

/** Shows the inspector of whatever is at the other end of a port. */
export function showInspector(port: MessagePort, place: HTMLElement): void {
  const client = new InspectorClient(portConnection(port));
  render(<InspectorPanel client={client} />, place);
}
