/** Components that come with files of their own: when they are first shown, or before. */
import { type ComponentType, lazy, useState } from "react";

export interface Later<Props> {
  (props: Props): React.ReactNode;
  /** Loads it ahead. */
  load: () => Promise<unknown>;
}

/**
 * What was loaded ahead is shown at once. `lazy` alone would give way to the fallback even then, if only for a moment,
 * and React leaves a fallback on the page for 300 ms.
 */
export function later<Props extends object>(fetch: () => Promise<ComponentType<Props>>): Later<Props> {
  let loaded: ComponentType<Props> | null = null;
  const load = async () => {
    loaded = await fetch();
    return { default: loaded };
  };
  const Loading = lazy(load);
  function Shown(props: Props) {
    // It stays what it began as: as another component it would lose its state.
    const [Content] = useState<ComponentType<Props>>(() => loaded ?? Loading);
    return <Content {...props} />;
  }
  return Object.assign(Shown, { load });
}
