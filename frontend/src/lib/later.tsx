/** Components that come with files of their own: when they are first shown, or before. */
import { type ComponentType, type ReactNode, useEffect, useState } from "react";

export interface Later<Props> {
  (props: Props): ReactNode;
  /** Loads it ahead. */
  load: () => Promise<unknown>;
}

/**
 * What was loaded ahead is shown at once, and what was not as soon as it is there. `lazy` would give way to a fallback in
 * either case, and React leaves a fallback on the page for 300 ms.
 */
export function later<Props extends object>(fetch: () => Promise<ComponentType<Props>>): Later<Props> {
  let loaded: ComponentType<Props> | null = null;
  const load = async () => {
    loaded = await fetch();
  };
  function Shown(props: Props) {
    const [Content, setContent] = useState(() => loaded);
    const [failure, setFailure] = useState<Error | null>(null);
    useEffect(() => {
      if (Content === null) load().then(() => setContent(() => loaded), setFailure);
    }, [Content]);
    if (failure) throw failure;
    return Content && <Content {...props} />;
  }
  return Object.assign(Shown, { load });
}
