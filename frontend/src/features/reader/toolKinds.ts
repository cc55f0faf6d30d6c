/** What the tools are that Hermes and others call: how a call reads in one line, and how it unfolds. */
export type ToolKind = "shell" | "code" | "read" | "write" | "edit" | "search" | "todo" | "web" | "delegate" | "memory" | "sessions" | "other";

interface Tool {
  kind: ToolKind;
  verb: string;
}

const TABLE: Record<ToolKind, string> = {
  shell: "terminal:Ran bash:Ran shell:Ran execute_command:Ran run_command:Ran process:Managed_process read_terminal:Read_the_terminal close_terminal:Closed_the_terminal",
  code: "execute_code:Executed",
  read: "read_file:Read read:Read view:Read skill_view:Read_the_skill",
  write: "write_file:Wrote write:Wrote create_file:Wrote",
  edit: "patch:Edited edit:Edited edit_file:Edited str_replace:Edited multiedit:Edited apply_patch:Edited",
  search: "search_files:Searched_files_for grep:Searched_files_for glob:Listed",
  todo: "todo:Updated_the_list todowrite:Updated_the_list",
  web: "web_search:Searched_the_web_for web_extract:Fetched web_fetch:Fetched x_search:Searched_X_for",
  delegate: "delegate_task:Delegated task:Delegated",
  memory: "memory:Remembered",
  sessions: "session_search:Searched_sessions_for",
  other: "browser_navigate:Went_to browser_click:Clicked browser_type:Typed browser_snapshot:Looked_at_the_page browser_vision:Looked_at_the_page vision_analyze:Looked_at image_generate:Drew video_generate:Filmed text_to_speech:Spoke clarify:Asked cronjob:Scheduled skill_manage:Changed_the_skill skills_list:Listed_the_skills",
};

/** A map, since a stored name may be that of a property which every object has. */
const TOOLS = new Map(
  (Object.keys(TABLE) as ToolKind[]).flatMap((kind) =>
    TABLE[kind].split(" ").map((entry): [string, Tool] => {
      const [name = "", verb = ""] = entry.split(":");
      return [name, { kind, verb: verb.replaceAll("_", " ") }];
    }),
  ),
);

/** A tool by its stored name; one that is not known is named by itself. */
export const toolOf = (name: string): Tool => TOOLS.get(name.toLowerCase()) ?? { kind: "other", verb: name };
