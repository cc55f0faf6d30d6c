"""Conversations in Chinese, Japanese and Korean."""

# ruff: noqa: E501 - a line of a script is a line of a message

from __future__ import annotations

from hermes_sessions.demo.script import Scenario

MEMORY_GAP = Scenario(
    "记忆断裂问题（${part}）",
    r"""
user: 今天讨论了记忆断裂问题和项目的下一步，请整理成三点。重点是${part}。
think: 用户要三点，重点是其中一部分。先查以前的会话，再写。
call session_search: 记忆断裂
result: {"success": true, "query": "记忆断裂", "results": [{"session_id": "20260201_100000_abc123", "summary": "讨论了压缩之后上下文丢失的原因"}], "count": 1}
agent: 1. **问题**：对话压缩之后，早期的决定没有进入摘要，之后的会话就像失忆了一样。
2. **原因**：摘要只保留任务，不保留“为什么”。
3. **下一步**：在${part}里加上“决定与理由”一节，每次压缩时一并保留。
user: 很好，写进项目文档
call write_file: docs/memory.md
# 记忆断裂

压缩时保留“决定与理由”。重点：${part}。
agent: 已写入 `docs/memory.md`。
---
user: 下周提醒我检查效果
call todo: - 检查${part}的效果（下周）
agent: 好的，已经记下来了。
""",
    ({"part": "摘要格式"}, {"part": "长期记忆"}, {"part": "检索"}),
    ("cli", "telegram"),
)

KYOTO = Scenario(
    "${season}の京都、二泊三日",
    r"""
user: ${season}に京都へ二泊三日で行きます。静かなお寺と、雨の日の過ごし方を教えてください。
call web_search: 京都 静かな寺 ${season} 雨の日
result: 静かな寺めぐり | https://kyoto.example.org/tera | 朝八時なら人が少ない庭園
雨の日の京都 | https://kyoto.example.org/ame | 町家の喫茶店、手漉き和紙の体験
agent: **一日目**：午後に到着、鴨川を散歩。
**二日目**：朝八時に庭園のあるお寺へ。人が少なく、とても静かです。
**三日目（雨なら）**：町家の喫茶店と、和紙の体験。

傘は宿で借りられます。
user: 朝ごはんのおすすめは？
agent: 出町柳の小さなパン屋か、お粥の店がよいと思います。どちらも七時から開いています。
---
user: 予算は一人いくらくらい？
agent: 宿を除いて一日八千円ほどです。拝観料、昼食、お茶、市バスの一日券が入っています。
""",
    ({"season": "秋"}, {"season": "春"}, {"season": "冬"}),
    ("telegram", "cli"),
)

DATABASE_KO = Scenario(
    "${what} 마이그레이션 계획",
    r"""
user: ${what} 데이터베이스를 무중단으로 옮기고 싶어요. 단계별 계획을 세워 주세요.
agent: 다음 순서를 권합니다.

1. 새 데이터베이스를 복제본으로 붙입니다.
2. 읽기 트래픽을 10 %씩 옮깁니다.
3. 쓰기를 멈추지 않고 전환합니다(약 2초).
4. 하루 동안 되돌릴 수 있게 둡니다.
call terminal: psql -c "select count(*) from pg_stat_replication"
result:  count
-------
     1
(1 row)
agent: 복제본이 이미 하나 연결되어 있습니다. 지연 시간은 거의 없습니다.
---
user: 되돌리는 방법도 적어 주세요
agent: 전환 후에도 반대 방향 복제를 켜 두면, 설정 한 줄로 돌아갈 수 있습니다.
""",
    ({"what": "회원"}, {"what": "주문"}, {"what": "결제"}),
    ("discord", "cli"),
)

RECIPE_ZH = Scenario(
    "${dish}怎么做",
    r"""
image leaf: 这是我阳台上的紫苏，可以用来做${dish}吗？
agent: 可以，叶子很新鲜，去掉有白斑的那一片就行。

**${dish}**（两人份）
- 紫苏 10 片
- 豆腐一块
- 酱油、香油各一勺

豆腐煎到两面金黄，最后放紫苏，关火焖一分钟。
user: 没有香油可以用橄榄油吗？
agent: 可以，但味道会淡一些，起锅前加几粒花椒会更好。
""",
    ({"dish": "紫苏豆腐"}, {"dish": "紫苏煎蛋"}, {"dish": "凉拌紫苏"}),
    ("telegram",),
)

SCENARIOS = (MEMORY_GAP, KYOTO, DATABASE_KO, RECIPE_ZH)
