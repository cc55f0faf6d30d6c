/** The drawn signs of the dashboard, 16 by 16, in the colour of the text. */
const PATHS = {
  archive: "M2.5 3.5h11v3h-11zM3.5 6.5v6h9v-6M6.5 9h3",
  back: "M9.5 3.5 5 8l4.5 4.5",
  bookmark: "M4.5 2.5h7v11L8 10.8l-3.5 2.7z",
  branch: "M4.5 2.5v11M4.5 9.5h3a4 4 0 0 0 4-4v-3",
  chat: "M2.5 3.5h11v7.5h-6l-3 2.5v-2.5h-2z",
  check: "m3 8.5 3.2 3L13 4.5",
  chevron: "m6 4 4 4-4 4",
  close: "m4 4 8 8M12 4l-8 8",
  code: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5",
  command: "M6 6h4v4H6zM6 6V4.3A1.8 1.8 0 1 0 4.3 6zM10 6h1.7A1.8 1.8 0 1 0 10 4.3zM10 10v1.7a1.8 1.8 0 1 0 1.7-1.7zM6 10H4.3A1.8 1.8 0 1 0 6 11.7z",
  continuation: "M8 2.5v11M4.5 10 8 13.5 11.5 10",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  cross: "m4.5 4.5 7 7M11.5 4.5l-7 7",
  down: "m4 6 4 4 4-4",
  download: "M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.5h10",
  edit: "M3 13l.6-2.8 7-7 2.2 2.2-7 7zM9 4.8l2.2 2.2",
  filter: "M2.5 4h11M4.5 8h7M6.5 12h3",
  graphql: "M8 2l5.2 3v6L8 14l-5.2-3V5zM2.8 11h10.4L8 2z",
  image: "M2.5 3.5h11v9h-11zM2.5 10.5l3-3 3 3 2-1.5 3 2.5M10.3 6.3h.01",
  info: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11M8 7.3v3.5M8 5.1h.01",
  inspector: "M2.5 3h11v10h-11zM10 3v10",
  keyboard: "M1.5 4.5h13v7h-13zM4 7h.01M6.7 7h.01M9.3 7h.01M12 7h.01M5 9.5h6",
  link: "M6.5 9.5l3-3M7 4.8l1.3-1.3a2.6 2.6 0 0 1 3.7 3.7L10.7 8.5M9 11.2l-1.3 1.3A2.6 2.6 0 0 1 4 8.8l1.3-1.3",
  live: "M8 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 1 0 0-3",
  more: "M3.5 7.5a.5.5 0 1 0 0 1 .5.5 0 1 0 0-1M8 7.5a.5.5 0 1 0 0 1 .5.5 0 1 0 0-1M12.5 7.5a.5.5 0 1 0 0 1 .5.5 0 1 0 0-1",
  reset: "M3 8a5 5 0 1 0 1.6-3.7M3 2.5V5h2.5",
  root: "M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 1 0 0-7",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9M10.3 10.3l3.2 3.2",
  settings: "M2.5 5h5M11.5 5h2M2.5 11h2M8.5 11h5M9.5 3.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 1 0 0-3.6M6.5 9.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 1 0 0-3.6",
  side: "M3.5 4.5v3a2 2 0 0 0 2 2h3M12 9.5h.01",
  sort: "M5 3v10M5 13l-2.5-2.5M5 13l2.5-2.5M11 13V3M11 3 8.5 5.5M11 3l2.5 2.5",
  spark: "M8 2.5v3M8 10.5v3M2.5 8h3M10.5 8h3M4.5 4.5l1.5 1.5M10 10l1.5 1.5M11.5 4.5 10 6M6 10l-1.5 1.5",
  store: "M3 4.5c0-1 2.2-2 5-2s5 1 5 2-2.2 2-5 2-5-1-5-2zM3 4.5v7c0 1 2.2 2 5 2s5-1 5-2v-7M3 8c0 1 2.2 2 5 2s5-1 5-2",
  subagent: "M8 3l5 5-5 5-5-5z",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  thought: "M6 12.5h4M6.8 14.3h2.4M6 12.5v-1.3A4.4 4.4 0 1 1 10 11.2v1.3",
  tool: "M4 4.5l3 3.5-3 3.5M8.5 11.5h4",
  trash: "M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9",
  unclassified: "M6 6a2 2 0 1 1 2.8 1.8c-.6.3-.8.7-.8 1.4M8 11.7h.01",
  upload: "M8 10.5V3M4.8 6 8 2.8 11.2 6M3 13.5h10",
  usage: "M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6",
  up: "m4 10 4-4 4 4",
  wrap: "M2.5 4h11M2.5 8h8.5a2.2 2.2 0 0 1 0 4.5H8M9.5 10.8 7.8 12.5l1.7 1.7M2.5 12.5h2.5",
  warning: "M8 2.5 14 13H2zM8 6.5v3M8 11.3h.01",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
