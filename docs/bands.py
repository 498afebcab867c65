"""The table of the two bands in results.md, from a sweep: `python docs/bands.py even`."""

import sys

import polars as pl

BETWEEN = 0.4  # a share of the openings that no size from 119 on comes near

table = pl.scan_parquet(f"{sys.argv[1]}/part-*.parquet").select(
    "size", "winning_count", share=pl.col("winning_count") / pl.col("first_moves")
)
for low, high in ((119, 1_000), (1_001, 10_000), (10_001, 100_000)):
    sizes = table.filter(pl.col("size").is_between(low, high)).collect()
    upper, lower = (
        sizes.filter(pl.col("share") > BETWEEN),
        sizes.filter(pl.col("share") <= BETWEEN),
    )
    print(
        f"| {low:,} to {high:,} | {len(upper) / len(sizes):.0%} | {upper['share'].mean():.0%} "
        f"| {lower['share'].mean():.0%} | {sizes['winning_count'].min()} |",
        f"  {lower['share'].max():.1%} to {upper['share'].min():.1%}: nothing",
    )
