/** What a retained instance is, apart from where it is. Travels to the renderer when it changes. */
export interface InstanceDescription {
  /** Uuid of the mesh asset. */
  readonly meshUuid: string;
  /** Uuid of a material that overrides the mesh's own; `undefined` for none. */
  readonly materialUuid?: string | undefined;
  /** For inspection; need not be unique. */
  readonly name?: string | undefined;
}

/** A retained instance with its id, as the renderer keeps it. */
export interface InstanceRecord extends InstanceDescription {
  /** Issued by the {@link RenderScene}; positive, not used again soon. */
  readonly id: number;
}
