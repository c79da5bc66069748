"""Words that mean the same, the opposite, or one of several choices: in English and Chinese, a group a line.

The vocabulary of software work. A group of synonyms is one concept, whatever the language. Opposites and choices make
a difference of one word a contradiction; places (environments, systems, languages) make it another subject.
English words are compared by their stems, phrases of up to three words too.
"""

from __future__ import annotations

SYNONYMS = """
database | databases | db | 数据库 | 库
repository | repositories | repo | codebase | code base | 仓库 | 代码库
config | configuration | settings file | configuration file | config file | 配置文件 | 配置
directory | folder | 目录 | 文件夹
delete | remove | drop | erase | 删除 | 删掉 | 删 | 移除
store | stored | save | keep | kept | persist | 存储 | 保存 | 存放 | 存 | 保留
run | ran | execute | perform | start | launch | 运行 | 执行 | 跑 | 启动
listen | serve | 监听
check | verify | validate | ensure | make sure | 检查 | 验证 | 校验 | 确认
install | set up | 安装
fail | break | crash | 失败 | 报错 | 崩溃
work | succeed | 成功
begin | default | 默认
manage | handle | administer | 管理
review | approve | 审核 | 审查 | 评审
enable | turn on | switch on | activate | 启用 | 开启 | 打开
disable | off | turn off | switch off | deactivate | 禁用 | 关闭 | 停用
expire | live | time to live | ttl | lifetime | valid for | 过期 | 失效 | 有效期
timeout | time out | times out | 超时
prefer | favour | favor | like | 喜欢 | 偏好 | 更喜欢
answer | reply | response | 回答 | 回复 | 答复
short | brief | concise | 简短 | 简洁
long | detailed | verbose | 详细 | 长
direct | directly | straight | 直接
forbidden | prohibited | disallowed | not allowed
async | asynchronous | 异步
sync | synchronous | 同步
parallel | concurrently | in parallel | 并行 | 并发
sequential | serial | one at a time | 串行 | 顺序
postgres | postgresql
kubernetes | k8s
javascript | js
typescript | ts
environment variable | env var | env variable | 环境变量
write ahead logging | wal mode | wal | 预写日志
pull request | merge request | 合并请求
pr | 合并请求编号
merge | 合并
commit | 提交
push | 推送
deploy | deployment | roll out | rollout | release | ship | publish | 部署 | 发布 | 上线
test | 测试
unit test | 单元测试
write | written | wrote | 写入 | 写
log | logs | 日志
error | 错误
file | 文件
password | 密码
secret | 密钥
access token | 访问令牌
token | 令牌
user | 用户
password hash | 密码哈希
hash | 哈希
cache | cached entries | cached entry | 缓存
entry | entries | 条目
request | call | 请求 | 调用
retry | retries | 重试
backup | 备份
branch | 分支
migration | migrate | 迁移
service | 服务
server | 服务器 | 服务端
client | 客户端
port | 端口
upload | 上传
download | 下载
limit | maximum | cap | at most | 上限 | 最多 | 最大
session | 会话
timestamp | timestamps | 时间戳 | 时间
indentation | indent | 缩进
tab | 制表符 | tab 键
space | 空格
name | naming | called | 命名 | 名
function | 函数
snake case | snakecase | snake_case | 蛇形 | 蛇形命名
camel case | camelcase | 驼峰 | 驼峰命名
integer | whole number | whole | 整数
float | floating point | floats | 浮点数 | 浮点
money | amount | 金额
cent | cents | 分
order | sort | 排序 | 排列
import | 导入
dependency | dependencies | packages | package | 依赖
lockfile | lock file | 锁文件
generate | generated | 生成
manual | manually | by hand | 手动 | 手工
edit | change | modify | alter | 修改 | 改动 | 编辑
old | stale | obsolete | 旧
rebase | 变基
lint | linter | 代码检查
code | 代码
page | 页面
frontend | front end | 前端
backend | back end | 后端
api | interface | 接口
line | 每行 | 行
character | characters | chars | 字符
dimension | dimensional | 维
result | results | 结果
email | emails | mail | 邮件
send | sent | 发送
network | 网络
access | reach | 访问
mock | fake | stub | 模拟
real | actual | 真实
public | 公开
private | 私有
ask | confirm with the user | consent | 询问 | 征得同意 | 问
rotate | rotation | 轮换 | 轮转
weekly | every week | each week | 每周
daily | every day | each day | 每天 | 每日
nightly | every night | 每晚 | 夜间
monthly | every month | 每月
require | need | 要求
certificate | 证书
gateway | 网关
payment | 支付
document | documentation | docs | 文档
before | 之前 | 以前 | 前
after | 之后 | 以后 | 后
compose | composition | 组合
inherit | inheritance | 继承
"""

OPPOSITES = """
enable | disable
allow | forbid | ban
accept | refuse
in | out
open | close
public | private
work | fail
increase | decrease
raise | lower
add | delete
include | exclude
before | after
parallel | sequential
async | sync
ascending | descending
升序 | 降序
asc | desc
short | long
fast | slow
more | less | fewer
minimum | limit
first | last
newest | oldest
upper case | lower case
uppercase | lowercase
strict | lenient | loose
mutable | immutable
required | optional
mandatory | optional
required | unnecessary
safe | unsafe | dangerous
secure | insecure
mock | real
true | false
static | dynamic
eager | lazy
sort | unsorted
encrypted | unencrypted | plain text
stateful | stateless
manual | automatic
始终 | 从不
允许 | 禁止
公开 | 私有
自动 | manual
安全 | 危险
必填 | 可选
加密 | 明文
增加 | 减少
"""

CHOICES = """
tab | space
utc | local time | local timezone | 本地时区 | 本地时间 | 当地时间
postgres | mysql | mariadb | sqlite | mongodb | oracle | mssql
redis | memcached | valkey
npm | pnpm | yarn | bun
uv | poetry | pip | pipenv | conda | pdm
bcrypt | argon2 | scrypt | pbkdf2 | md5 | sha1 | sha256
react | vue | angular | svelte
snake case | camel case | kebab case | pascal case
integer | float | decimal | string
merge commit | squash | rebase
json | yaml | toml | xml | ini
rest | graphql | grpc
kafka | rabbitmq | nats | sqs
docker | podman
jenkins | github actions | gitlab ci | circleci
webpack | vite | rollup | esbuild
pytest | unittest | nose
black | ruff | yapf | flake8 | isort | pylint
eslint | biome | prettier
jwt | session cookie | cookie
second | millisecond | minute | hour | day
mile | kilometre | kilometer | meter | metre | foot
celsius | fahrenheit
byte | kilobyte | megabyte | gigabyte
utf 8 | latin 1 | gbk
environment variable | config | vault | keychain
http | https
soft delete | hard delete
optimistic | pessimistic
"""

PLACES = """
staging | production | prod | development | dev | preview | qa | test | 预发 | 生产 | 开发 | 测试环境 | 正式环境
linux | macos | windows | android | ios
python | go | rust | java | kotlin | javascript | typescript | ruby | php | c | cpp | csharp | swift | scala
unit test | integration test | end to end test | e2e test | smoke test
unit | integration | e2e
frontend | backend | mobile
eu | us | asia | apac
client | server
read | write
primary | replica
payment | billing | order | inventory | search | checkout
"""

GENERIC = """
run listen serve live lie sit hold held contain take come go happen occur set equal keep store have write land
运行 监听 存放 保存 位于 存在 写入 发生 设为 设置 出现 启动 执行
"""
"""What a thing does with its value or place: two texts that agree on the rest say the same by any of these."""

LIGHT = """
a an the this that these those it its their our your we you they i is are was were be been being has have had having do
does did will would shall should must may might can could of for to as at in on by with from into onto so and or also
please always all any each every when while where which who what how then there here just currently now new only via use
used uses using project code set get let lets per under up both same such well if own need needs ought
once whenever instead
的 了 是 在 和 与 及 或 就 都 也 把 被 给 让 对 从 向 到 为 以 于 其 并 而 但 个 些 里 着 过
地 得 请 要 会 能 可 该 再 才 只 已
我们 你们 他们 这个 那个 应该 应当 应 须 必须 务必 需要 需 总是 始终 一律 都要 可以 能够 使用
采用 用 进行 通过 由 时 所有 每个 每次 每 项目 现在 目前 当前 上 中 内 之 有 出现 如果 当 来 去 写的 则
"""

NEGATIONS = """
not | never | no | nor | none | cannot | avoid | forbidden | prohibit | forbid | disallow | must not | unnecessary
no need | need not | not allowed | neither
不 | 不要 | 不得 | 不能 | 不会 | 不应 | 不该 | 不准 | 不许 | 不可 | 不再 | 不需要 | 不用 | 不必
无需 | 无须 | 禁止 | 严禁 | 避免 | 切勿
勿 | 没有 | 未 | 无法 | 从不 | 绝不 | 别 | 不是 | 不允许
"""

CONNECTORS = "over than before after until unless except without from 先 除非 直到 除了"
"""They order what stands around them: with both sides changed round, they say something else."""
