/** A page window as component state: a new one whenever document, variables or anchor change. */
import { useMemo, useSyncExternalStore } from "react";
import { type AnyVariables, type TypedDocumentNode, useClient } from "urql";
import { PageWindow, type WindowOptions, type WindowState } from "./pageWindow";

export type { WindowState };

type Options<Data, Edge, Variables> = Omit<WindowOptions<Data, Edge>, "client" | "document"> & {
  document: TypedDocumentNode<Data, Variables>;
  /** Another number: a new window, also where all else is the same. */
  epoch?: number;
};

export function usePageWindow<Data, Edge, Variables>(options: Options<Data, Edge, Variables>) {
  const client = useClient();
  const key = JSON.stringify([options.variables, options.anchor, options.size, options.epoch]);
  const window = useMemo(
    () => new PageWindow<Data, Edge>({ ...options, client, document: options.document as TypedDocumentNode<Data, AnyVariables> }),
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the options by value
    [client, options.document, key],
  );
  const state = useSyncExternalStore(window.subscribe, window.getState);
  return useMemo(() => {
    const { loadAfter, loadBefore, keep, noteMore, refresh, retry } = window;
    return { ...state, key, loadAfter, loadBefore, keep, noteMore, refresh, retry };
  }, [state, key, window]);
}
