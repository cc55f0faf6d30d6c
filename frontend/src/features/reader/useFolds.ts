/** What is unfolded: kept outside the rows, which come and go while scrolling. */
import { useCallback, useSyncExternalStore } from "react";

/** The key of a fold begins with that of the message that it is part of. */
const ownerOf = (key: string) => key.split(" ", 1)[0] ?? key;

export class FoldStore {
  readonly #isOpenAtFirst: (key: string) => boolean;
  readonly #changed = new Map<string, boolean>();
  readonly #versions = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  constructor(isOpenAtFirst: (key: string) => boolean) {
    this.#isOpenAtFirst = isOpenAtFirst;
  }

  readonly isOpen = (key: string): boolean => this.#changed.get(key) ?? this.#isOpenAtFirst(key);

  readonly toggle = (key: string): void => this.set([key], !this.isOpen(key));

  /** Opens all; or closes all when all are open. */
  readonly toggleAll = (keys: readonly string[]): void => this.set(keys, !keys.every(this.isOpen));

  readonly set = (keys: readonly string[], wanted: boolean): void => {
    for (const key of keys.filter((each) => this.isOpen(each) !== wanted)) {
      this.#changed.set(key, wanted);
      this.#versions.set(ownerOf(key), this.versionOf(ownerOf(key)) + 1);
    }
    this.#listeners.forEach((listener) => listener());
  };

  /** Changes whenever a fold of this message does. */
  readonly versionOf = (owner: string): number => this.#versions.get(owner) ?? 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** Renders again when a fold of one of these messages changes. */
export function useFoldsOf(store: FoldStore, owners: readonly string[]): void {
  const version = useCallback(() => owners.reduce((sum, owner) => sum + store.versionOf(owner), 0), [store, owners]);
  useSyncExternalStore(store.subscribe, version);
}
